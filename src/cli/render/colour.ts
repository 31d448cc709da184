/** `usesColour`: whether colour may be written; `paint`: a text in a tone. Colour never stands alone: a word says the same. */

const CODES = {
  needs: '1;33',
  trouble: '31',
  waiting: '34',
  proven: '32',
  removed: '31',
  added: '32',
  quiet: '2',
  strong: '1',
};
export type Tone = keyof typeof CODES;

/** `FORCE_COLOR` wins over `NO_COLOR`, as in Node. */
export function usesColour(out: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return out.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function paint(text: string, tone: Tone | null, colour: boolean): string {
  return colour && tone !== null && text !== '' ? `\u001B[${CODES[tone]}m${text}\u001B[0m` : text;
}
