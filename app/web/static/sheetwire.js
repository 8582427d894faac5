// The sheet's way to the server and back. null: no answer, or none that counts; ask again later.
import "./ownnonce.js";

const PATIENCE_MS = 20_000;
const MOST_KEPT_ALIVE = 60_000;

// The form as it stands, without its text; `leave`: units that stay as they were saved.
export function post(url, form, fields, leave) {
  const body = new URLSearchParams(new FormData(form));
  for (const name of ["text", "text-taken", "text-drop"]) body.delete(name);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const unit of leave) body.set(`leave:${unit}`, "1");
  // goes on even if the page is left; browsers take only so much of that
  return ask(url, { method: "POST", body, keepalive: body.toString().length < MOST_KEPT_ALIVE });
}

export const sheetOf = (url) => ask(`${url}/sheet`, { cache: "no-store" });

async function ask(url, options) {
  try {
    const answer = await fetch(url, { ...options, credentials: "same-origin", signal: AbortSignal.timeout?.(PATIENCE_MS) });
    if (answer.status >= 500 || answer.status === 429) return null;
    return { ok: answer.ok, told: await answer.json() };
  } catch {
    return null;
  }
}

// Who goes back sees the page as it was when he came to it first.
const isKept = () => performance.getEntriesByType("navigation")[0]?.type === "back_forward";

// Calls `again` whenever this page may have missed something, `leaving` when it goes out of sight.
export function whenever(again, leaving) {
  addEventListener("online", again);
  addEventListener("pageshow", (event) => (event.persisted || isKept()) && again());
  document.addEventListener("fieldpost:hint", () => document.hidden || again());
  document.addEventListener("visibilitychange", () => (document.hidden ? leaving() : again()));
}
