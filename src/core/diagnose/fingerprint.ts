/** `fingerprint`: one short name for one cause: the same over paths, ids, times and line numbers, different between causes. */

/** Ports above are handed out by the kernel: they change from run to run. */
const FIRST_RANDOM_PORT = 32_768;
const PORT_DIGITS = 5;

type Rule = readonly [RegExp, (match: string, group: string) => string];

const RULES: readonly Rule[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, () => '#'],
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?)?/gi, () => '#'],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?/g, () => '#'],
  [/\b(?:req|msg|run|org|proj|toolu|call|sess|session|trace|thread|pid)[_-][\w-]{6,80}/gi, () => '#'],
  [/0x[0-9a-f]{1,16}/gi, () => '#'],
  [/https?:\/\/([^\s/'")]{1,200})[^\s'")]{0,400}/gi, (_, host) => host],
  [/(?:[A-Za-z]:)?[\\/](?:[\w.@+~-]{1,80}[\\/]){0,40}([\w.@+-]{1,80})/g, (_, name) => name],
  [/\b(?:[\w.@+~-]{1,80}\/){1,40}([\w.@+-]{1,80})/g, (_, name) => name],
  [/\b\d{1,12}(?:\.\d{1,9})? ?(?:ms|s|secs?|seconds?|minutes?|min|hours?)\b/gi, () => '#'],
  [/(?<=\.[a-z]{1,4}):\d{1,7}(?::\d{1,7})?/gi, () => ':#'],
  [
    /:(\d{1,5})\b/g,
    (match, port) => (port.length === PORT_DIGITS && Number(port) >= FIRST_RANDOM_PORT ? ':#' : match),
  ],
  [/\b(?:line|column|col|char|position|offset|pid|row) \d{1,9}/gi, () => '#'],
  [/\(\d{1,7}[,:]\d{1,7}\)|\(\d{4,9}\)/g, () => '(#)'],
  [/\b(?=[0-9a-f]{0,39}\d)[0-9a-f]{7,40}\b/gi, () => '#'],
  [/\b\d{6,}\b/g, () => '#'],
];

/** A message is told in its first words; what follows is detail that varies. */
const KEY_CHARS = 240;

export function normalisedCause(text: string): string {
  let key = text.slice(0, KEY_CHARS * 2);
  for (const [pattern, replace] of RULES)
    key = key.replace(pattern, replace as (match: string, ...groups: string[]) => string);
  return key.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, KEY_CHARS);
}

export function fingerprint(failureType: string, kind: string, text: string): string {
  return `${failureType}-${hash53(`${failureType}\n${kind}\n${normalisedCause(text)}`)}`;
}

/** cyrb53: enough for names of causes (not for security), and the core has no node:crypto. */
function hash53(text: string): string {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    h1 = Math.imul(h1 ^ code, 2_654_435_761);
    h2 = Math.imul(h2 ^ code, 1_597_334_677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2_246_822_507) ^ Math.imul(h2 ^ (h2 >>> 13), 3_266_489_909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2_246_822_507) ^ Math.imul(h1 ^ (h1 >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & h2) + (h1 >>> 0)).toString(16).padStart(14, '0');
}
