// What the tests ask the page: which card is drawn where, and where a thing can be pressed. Put into every page before
// its own scripts; it only reads.
window.seeing = (() => {
  const PAUSE = 4;
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));
  const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

  // Tries until there is something, for so many milliseconds at most; null then.
  async function until(find, patience) {
    const end = performance.now() + patience;
    for (;;) {
      const found = find();
      if (found !== null || performance.now() > end) return found;
      await pause();
    }
  }

  function areas(kind) {
    const shown = [...document.querySelectorAll(`#table [data-${kind}]:not([hidden])`)];
    return shown.map((element) => ({ name: element.dataset[kind], box: element.getBoundingClientRect() }));
  }

  // The cards by the places at which they are drawn, the lowest first.
  function drawn() {
    const piles = areas("pile");
    const foundations = areas("foundation");
    const cards = [...document.querySelectorAll("#table [data-card]:not(.is-under)")];
    cards.sort((one, other) => Number(one.style.zIndex) - Number(other.style.zIndex));
    const result = { piles: piles.map(() => []), foundations: {}, hand: [] };
    for (const card of cards) {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const foundation = foundations.find(({ box }) => inside(box, x, y));
      const pile = piles.findIndex(({ box }) => inside(box, x, y));
      if (foundation) result.foundations[foundation.name] = card.dataset.card;
      else if (pile >= 0) result.piles[pile].push(card.dataset.card);
      else result.hand.unshift(card.dataset.card);
    }
    return result;
  }

  function labels() {
    return [...document.querySelectorAll("#table [data-pile]")].map((pile) => pile.getAttribute("aria-label"));
  }

  function isDrawn(wanted, said) {
    if (said !== null && JSON.stringify(labels()) !== JSON.stringify(said)) return false;
    const now = drawn();
    return (
      JSON.stringify([now.piles, now.hand]) === JSON.stringify([wanted.piles, wanted.hand]) &&
      ["C", "D", "H", "S"].every((suit) => now.foundations[suit] === wanted.foundations[suit])
    );
  }

  // A point of a thing on the table that nothing covers.
  function point(selector) {
    const element = document.querySelector(`#table ${selector}`);
    if (!element) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    const shares = [0.5, 0.8, 0.2, 0.94, 0.06];
    for (const down of shares) {
      for (const across of shares) {
        const [x, y] = [left + width * across, top + height * down];
        if (document.elementFromPoint(x, y)?.closest("[data-card], .place") === element) return [x, y];
      }
    }
    return null;
  }

  return {
    drawn,
    labels,
    isDrawn: ([wanted, said, patience]) => until(() => isDrawn(wanted, said) || null, patience),
    points: ([selectors, patience]) =>
      until(() => {
        const found = selectors.map(point);
        return found.includes(null) ? null : found;
      }, patience),
  };
})();
