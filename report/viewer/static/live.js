// Keeps the numbers of running experiments up to date: what has a data-live
// name takes over the text of what has the same name on the page of now.
"use strict";
const pause = document.getElementById("pause");
let paused = false;
pause.hidden = false;
pause.addEventListener("click", () => {
  paused = !paused;
  pause.textContent = paused ? "Go on updating" : "Pause updates";
});
const live = (page) => new Map([...page.querySelectorAll("[data-live]")].map((e) => [e.dataset.live, e]));
const update = async () => {
  if (!paused && !document.hidden) {
    try {
      const answer = await fetch(location.href);
      if (!answer.ok) throw new Error(answer.statusText);
      const then = live(document);
      const now = live(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if ([...now.keys()].join() !== [...then.keys()].join()) return location.reload();
      for (const [name, element] of then) {
        const fresh = now.get(name);
        if (element.tagName === "PROGRESS") element.value = fresh.value;
        else if (element.textContent !== fresh.textContent) element.replaceChildren(...fresh.childNodes);
      }
    } catch {
      // The server is gone for a while; the next time may be better.
    }
  }
  setTimeout(update, 3000);
};
setTimeout(update, 3000);
