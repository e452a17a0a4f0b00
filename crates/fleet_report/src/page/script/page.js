// The state of the page, which is in its address behind the #, and what the controls do to it.
const initial = () => ({search: '', action: '', finding: '', sort: 'saved', direction: -1, page: 1, open: null});
let state = initial();
let selected = [];
const read = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  state = initial();
  for (const key of ['search', 'action', 'finding']) state[key] = parts.get(key) ?? '';
  if (Object.hasOwn(COLUMNS, parts.get('sort') ?? '')) state.sort = parts.get('sort');
  state.direction = parts.get('order') === 'ascending' ? 1 : -1;
  state.page = Number.parseInt(parts.get('page') ?? '1', 10) || 1;
  const open = rows.findIndex(row => row.volume === parts.get('open'));
  state.open = open < 0 ? null : open;
};
const write = () => {
  const parts = new URLSearchParams();
  for (const key of ['search', 'action', 'finding']) if (state[key]) parts.set(key, state[key]);
  if (state.sort !== 'saved') parts.set('sort', state.sort);
  if (state.direction > 0) parts.set('order', 'ascending');
  if (state.page > 1) parts.set('page', state.page);
  if (state.open !== null) parts.set('open', rows[state.open].volume);
  history.replaceState(null, '', `#${parts}`);
};
const show = () => {
  for (const key of ['search', 'action', 'finding']) if (byId(key).value !== state[key]) byId(key).value = state[key];
  table(selected, state);
  write();
};
const refresh = () => {
  selected = select(state);
  summary(selected);
  scatter(selected);
  show();
};
// Unfolds a row, on the page that has it, and scrolls to it: `start` has its detail in view, `nearest` stays where the row was pressed.
const unfold = (place, block) => {
  state.open = place;
  const at = selected.indexOf(place);
  if (at >= 0) state.page = Math.floor(at / PAGE) + 1;
  show();
  document.querySelector(`[data-place="${place}"]`)?.closest('tr').scrollIntoView({block});
};
const choices = (select, counts) => select.append(...Object.entries(counts).sort(([one], [other]) => collator.compare(one, other))
  .map(([code, count]) => make('option', {value: code}, `${ACTIONS[code] ?? code} (${whole.format(count)})`)));
const count = codes => codes.reduce((counts, code) => {
  counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}, Object.create(null));
choices(byId('action'), count(rows.map(row => row.action)));
choices(byId('finding'), count(rows.flatMap(row => row.findings.map(finding => finding.code))));
for (const key of ['search', 'action', 'finding']) {
  byId(key).addEventListener('input', event => {
    Object.assign(state, {[key]: event.target.value, page: 1, open: null});
    refresh();
  });
}
byId('heads').addEventListener('click', event => {
  const key = event.target.closest('button')?.dataset.sort;
  if (!key) return;
  const direction = state.sort === key ? -state.direction : isRanked(key) ? -1 : 1;
  Object.assign(state, {sort: key, direction, page: 1});
  refresh();
  document.querySelector(`[data-sort="${key}"]`).focus();
});
byId('body').addEventListener('click', event => {
  const button = event.target.closest('button.open');
  if (!button) return;
  const place = Number(button.dataset.place);
  if (state.open === place) {
    state.open = null;
    show();
  } else {
    unfold(place, 'nearest');
  }
  document.querySelector(`[data-place="${place}"]`)?.focus();
});
const turn = pages => () => {
  state.page += pages;
  show();
};
byId('before').addEventListener('click', turn(-1));
byId('after').addEventListener('click', turn(1));
byId('scatter').addEventListener('click', event => {
  const place = nearest(event);
  if (place !== null) unfold(place, 'start');
});
byId('scatter').addEventListener('pointermove', event => {
  const place = nearest(event);
  byId('pointed').textContent = place === null ? 'A click on a point unfolds its volume.'
    : `${label(rows[place])}: saves ${money(rows[place].usd_month_saved)} a month, risk ${rows[place].risk ?? 'unknown'}`;
});
addEventListener('resize', () => scatter(selected));
addEventListener('hashchange', () => {
  read();
  refresh();
  if (state.open !== null) unfold(state.open, 'start');
});
byId('app').hidden = false;
read();
refresh();
if (state.open !== null) unfold(state.open, 'start');
