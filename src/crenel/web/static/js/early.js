// Runs before the first paint: puts the player's look (theme, contrast, deck) on <html>, so that nothing flashes.
// A plain script, not a module, because modules wait for the page. js/options.js does the rest later.
(() => {
  const root = document.documentElement;
  let options = {};
  try {
    options = JSON.parse(localStorage.getItem("crenel.options")) || {};
  } catch {
    // A private window or a damaged entry: the defaults will do.
  }
  const theme = ["light", "dark"].includes(options.theme) ? options.theme : "auto";
  const isDark = theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  root.dataset.theme = theme;
  root.dataset.scheme = isDark ? "dark" : "light";
  root.dataset.contrast = options.contrast === true ? "high" : "normal";
  root.dataset.deck = options.deck === "four" ? "four" : "two";
})();
