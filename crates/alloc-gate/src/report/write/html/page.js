for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], rows = [...body.rows];
  // Rows that continue the one above, and sums, stay in their places.
  if (rows.length < 2 || rows.some(row => !row.cells[0].textContent || !row.lastElementChild.textContent.trim())) continue;
  const value = (row, at) => {
    const text = row.cells[at].textContent, now = text.split("→").pop();
    return [parseFloat(now.replace(/[,\s]/g, "")), text];
  };
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const up = head.ariaSort != "ascending" ? 1 : -1;
      heads.forEach(other => other.ariaSort = null);
      head.ariaSort = up > 0 ? "ascending" : "descending";
      const keyed = rows.map(row => [value(row, at), row]);
      keyed.sort(([[a, s]], [[b, t]]) => up * (a - b || isNaN(a) - isNaN(b) || s.localeCompare(t, "en", {numeric: true})));
      body.append(...keyed.map(([, row]) => row));
    };
  });
  if (rows.length < 10) continue;
  const filter = document.createElement("input");
  filter.type = "search";
  filter.placeholder = filter.ariaLabel = "filter the rows";
  filter.oninput = () => {
    const wanted = filter.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  };
  table.parentNode.before(filter);
}
