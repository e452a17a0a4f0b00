// The table: one page of the selected rows.
const PAGE = 100;
const cell = {
  volume: (row, place, state) => make('td', {},
    make('button', {type: 'button', class: 'open', title: label(row), 'data-place': place, 'aria-expanded': String(state.open === place)}, label(row)),
    label(row) === row.volume ? null : make('small', {}, row.volume)),
  instance: row => make('td', {}, row.instance_type ?? UNKNOWN, row.instance ? make('small', {}, row.instance) : null),
  owner: row => make('td', {}, row.owner ?? UNKNOWN),
  now: row => make('td', {}, volumes(row.present)),
  action: row => make('td', {}, recommended(row)),
  price: row => make('td', {class: 'n'}, money(row.present?.usd_month)),
  saved: row => make('td', {class: row.usd_month_saved > 0 ? 'n good' : row.usd_month_saved < 0 ? 'n poor' : 'n'}, money(row.usd_month_saved)),
  limit: row => make('td', {class: row.limit_pct > 0 ? 'n fair' : 'n'}, figure(row.limit_pct, ' %')),
  risk: row => make('td', {class: risk(row) > 2 ? 'poor' : null}, row.risk ?? UNKNOWN),
  confidence: row => make('td', {}, row.confidence ?? UNKNOWN),
};
const heads = state => Object.entries(COLUMNS).map(([key, column]) => {
  const order = state.sort !== key ? null : state.direction > 0 ? 'ascending' : 'descending';
  const arrow = order === null ? '' : state.direction > 0 ? ' ▲' : ' ▼';
  return make('th', {scope: 'col', class: column.isNumber ? 'n' : null, 'aria-sort': order},
    make('button', {type: 'button', 'data-sort': key}, column.title + arrow));
});
const table = (selected, state) => {
  const pages = Math.max(1, Math.ceil(selected.length / PAGE));
  state.page = Math.min(Math.max(state.page, 1), pages);
  byId('heads').replaceChildren(...heads(state));
  byId('body').replaceChildren(...selected.slice((state.page - 1) * PAGE, state.page * PAGE).flatMap(place => {
    const row = rows[place], line = make('tr', {}, ...Object.keys(COLUMNS).map(key => cell[key](row, place, state)));
    if (state.open !== place) return [line];
    return [line, make('tr', {class: 'below'}, make('td', {colspan: Object.keys(COLUMNS).length}, detail(row)))];
  }));
  byId('page').textContent = `page ${whole.format(state.page)} of ${whole.format(pages)}`;
  byId('before').disabled = state.page === 1;
  byId('after').disabled = state.page === pages;
};
// Sums over the selected rows, in whole cents, and of how many the figures are known.
const summary = selected => {
  const sum = (value, isAdded) => selected.reduce((total, place) => {
    const amount = value(rows[place]);
    return isKnown(amount) && isAdded(amount) ? total + cents(amount) : total;
  }, 0) / 100;
  const knownOf = value => selected.filter(place => isKnown(value(rows[place]))).length;
  const price = COLUMNS.price.value, saved = COLUMNS.saved.value;
  byId('count').textContent = `${whole.format(selected.length)} of ${whole.format(rows.length)} volumes · `
    + `${money(sum(price, () => true))} a month (known for ${whole.format(knownOf(price))}) · `
    + `saves ${money(sum(saved, amount => amount > 0))}, adds ${money(Math.abs(sum(saved, amount => amount < 0)))} (known for ${whole.format(knownOf(saved))})`;
};
