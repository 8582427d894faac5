// What each unit may do, asked of the server once; a failure is not kept.
const FIRST_MS = 400;

// `told(number)`: of so many units it is known by now.
export function unitChoices(url, units, told) {
  const asked = new Map();
  const known = new Set();

  function ask(unit) {
    if (!asked.has(unit)) {
      const asking = fetch(url + encodeURIComponent(unit), { headers: { accept: "application/json" } }).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json();
      });
      asking.then(
        () => told(known.add(unit).size),
        () => asked.delete(unit),
      );
      asked.set(unit, asking);
    }
    return asked.get(unit);
  }

  // One after the other, before anybody wants it: later there may be no connection.
  async function fetchAll() {
    try {
      for (const unit of units) await ask(unit);
    } catch {
      // without a connection: again when it is back
    }
  }

  setTimeout(fetchAll, FIRST_MS);
  addEventListener("online", fetchAll);
  return { ask };
}
