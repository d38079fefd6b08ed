// Shows only the claims that the filter asks for; without this script all are shown.
document.addEventListener("DOMContentLoaded", () => {
  const bar = document.querySelector(".claim-filter");
  if (!bar) return;
  const claims = [...document.querySelectorAll(".claim")];
  const show = () => {
    const asked = Object.fromEntries([...bar.querySelectorAll("[data-by]")].map((c) => [c.dataset.by, c.value.trim().toLowerCase()]));
    let count = 0;
    for (const claim of claims) {
      const fits = (!asked.status || claim.dataset.status === asked.status)
        && (!asked.kind || claim.dataset.kind === asked.kind)
        && (!asked.text || claim.textContent.toLowerCase().includes(asked.text));
      claim.hidden = !fits;
      count += fits;
    }
    for (const list of document.querySelectorAll("ul.claims")) {
      const empty = [...list.children].every((claim) => claim.hidden);
      list.closest("section").classList.toggle("empty", empty);
    }
    bar.querySelector("output").textContent = `${count} of ${claims.length} claims`;
  };
  bar.addEventListener("input", show);
  show();
});
