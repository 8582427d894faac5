// Several games: of what their rules leave open, only that of the game whose scenario is chosen is shown. A pasted file names its
// own. Without scripts all stand there, each under its game's name, and only the chosen game's count.
const parts = document.querySelectorAll("[data-rulings]");
const pasted = document.getElementById("scenario-text");

function chosen() {
  const scenario = document.querySelector('input[name="scenario"]:checked');
  return scenario?.dataset.game ?? pasted.value.match(/(?:^|[{,])\s*["']?ruleset["']?\s*:\s*["']?([a-z0-9-]+)/m)?.[1];
}

function show() {
  const game = chosen();
  const isKnown = [...parts].some((part) => part.dataset.rulings === game);
  for (const part of parts) part.hidden = isKnown && part.dataset.rulings !== game;
}

document.getElementById("scenario").addEventListener("input", show);
addEventListener("pageshow", show);
show();
