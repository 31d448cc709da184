/** `shownAddress`: the address of a PostgreSQL store without its password, to be named in messages. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'the PostgreSQL store';
  const { hostname, port, pathname } = new URL(address);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
