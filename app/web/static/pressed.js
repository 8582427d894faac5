// Whether a click came of a finger. Browsers of some years ago tell that of the press alone.
let last = "";
addEventListener("pointerdown", (event) => { last = event.pointerType; }, true);

export const byFinger = (click) => (click.pointerType ?? last) === "touch";
