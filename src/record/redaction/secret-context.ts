/** `findAssignments`: values that are secret because of the name they are given to (`NAME=`, `name: `, `--name `). */
import { inOrder } from '../../core/text/in-order.ts';
import { oneOf } from '../../core/text/one-of.ts';
import { decodeBase64Text } from './base64-text.ts';

/** One of these is part of every name that `isSecretName` accepts. */
// biome-ignore format: words stand together
export const SECRET_WORDS: readonly string[] = [
  'secret', 'token', 'passw', 'passphrase', 'passcode', '_pass', 'pwd', 'key', 'credential', 'connection',
  'auth', 'cookie', '_pat', '_jwt', 'session',
];

/**
 * Names of variables and fields whose value is a secret. A plural (MAX_TOKENS) is a count. A session id is none: agents name
 * their conversations so, and a run is resumed by it; session cookies have a rule of their own (`context-rules.ts`).
 */
// biome-ignore format: words stand together
const SECRET_NAME = new RegExp(
  `(?:${[
    'SECRET', 'TOKEN', 'PASSWORD', 'PASSWD', 'PASSPHRASE', 'PASSCODE', '_PASS', 'PWD',
    '(?:API|ACCESS|ACCOUNT|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|SECRET|SESSION|STORAGE|DEPLOY|SERVICE|LICENSE)_?KEY',
    'CREDENTIALS?', 'CONNECTION_?STRING', '_PAT', '_JWT',
  ].join('|')})(?:_?(?:VALUE|BASE64|B64|PROD|DEV|TEST|STAGING|\\d{1,3})){0,2}$`,
  'i',
);
/** The working directory is not a password. */
const NOT_SECRET_NAME = /^(?:OLD)?PWD$/;
/** Names of values that are base64 of `user:password`. */
const PAIR_NAME = /(?:^|_)AUTH$/i;
const PASSWORD_NAME = /pass|pwd/i;

/** Part of every name that the patterns above accept. Most names have none of these, and so need no second look. */
const TELLING = /secret|token|pass|pwd|key|credential|connection|auth|pat|jwt/i;

export function isSecretName(name: string): boolean {
  if (!TELLING.test(name)) return false;
  const words = wordsOf(name);
  return SECRET_NAME.test(words) && !NOT_SECRET_NAME.test(words);
}

/** Whether a value under this name may be hidden. */
function mayNameSecret(name: string): boolean {
  return isSecretName(name) || PAIR_NAME.test(wordsOf(name));
}

function wordsOf(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[.-]/g, '_');
}

/** References, placeholders and words of a program are not secrets. */
// biome-ignore format: words stand together
const NOT_A_VALUE = new RegExp(
  `^(?:${[
    '[$<{%(*[]', 'process\\.', 'os\\.', 'env\\.', 'secrets\\.', 'self\\.', 'this\\.',
    '(?:null|none|nil|true|false|undefined|string|number|boolean|any|str|required|optional)(?![a-z0-9])',
    'x{3,}$', '\\.{3}', 'your[_-]', 'example', 'placeholder', 'redacted', 'change_?me', '\\d{1,12}$',
    'https?:\\/\\/[^@]*$', '\\/(?:[\\w.-]+\\/)*[\\w.-]*$',
  ].join('|')})`,
  'i',
);
const MIN_VALUE_CHARS = 6;
/** Without quotes and with a name in small letters it may be code: only what no programmer would write by hand. */
const MIN_BARE_CHARS = 12;
/** A quoted word of letters only (`token: "identifier"`) is a word; from this length on it is not. */
const MIN_LETTERS_CHARS = 20;

export function isValue(text: string): boolean {
  return !NOT_A_VALUE.test(text);
}

export function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** `NAME=`, `name: `, `"name": `, `["name"] = `, `--name=`, `--name `; an escaped line end before the name counts as a border. */
const NAME = inOrder(
  /(?:(?<![\w./\\-])|(?<=(?<![\w-])(?<flag>--?))|(?<=\\[nrt]))(?<name>[A-Za-z_][\w.-]{2,80})/g,
  /(?:\\?["']?\]?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}(?:''(?=')|""(?="))?|[ \t]{1,8}(?=[^\s:=-]))/g,
);
const VALUE = oneOf(
  /\\"(?<escaped>[^"\\\n]{1,1024})|\\'(?<quoted>[^'\\\n]{1,1024})|"(?<double>(?:[^"\\\n]|\\[^\n]){1,1024})/dy,
  /'(?<single>(?:[^'\\\n]|\\[^\n]){1,1024})|(?<bare>[^\s"'`\\,;&|)}\]]{1,1024})/dy,
);

export interface FoundSecret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export function findAssignments(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(NAME)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const name = match.groups?.['name'] as string;
    const isFlag = /[ \t]$/.test(match[0]) && !/[:=]/.test(match[0]);
    if (isFlag && match.groups?.['flag'] === undefined) continue;
    if (!mayNameSecret(name)) continue;
    VALUE.lastIndex = match.index + match[0].length;
    const groups = VALUE.exec(text)?.indices?.groups;
    const quoted = groups?.['escaped'] ?? groups?.['quoted'] ?? groups?.['double'] ?? groups?.['single'];
    const place = quoted ?? groups?.['bare'];
    if (place === undefined) continue;
    const [start, end] = place;
    if (isSecretAssignment(name, text.slice(start, end), quoted !== undefined))
      found.push({ name: 'assignment', start, end });
  }
  return found;
}

/** Whether `value`, given to something called `name`, is to be hidden. */
export function isSecretAssignment(name: string, value: string, quoted: boolean): boolean {
  if (value.length < MIN_VALUE_CHARS || !TELLING.test(name) || !isValue(value)) return false;
  if (PAIR_NAME.test(wordsOf(name))) return isPair(value);
  if (!isSecretName(name)) return false;
  return quoted ? isQuotedSecret(name, value) : isBareSecret(name, value);
}

/** Base64 of `user:password`, as in the configuration of docker and npm. */
function isPair(value: string): boolean {
  return /^[^\s:]{0,128}:[^\s]{3,}$/.test(decodeBase64Text(value) ?? '');
}

function isBareSecret(name: string, value: string): boolean {
  const isCode =
    /[(<>{[]/.test(value) ||
    /^[A-Za-z_]\w*(?:\.[A-Za-z_]+)+$/.test(value) ||
    /^[A-Z]+(?:_[A-Z]+)+$/.test(value);
  if (isCode) return false;
  if (/^[A-Z0-9_]+$/.test(name)) return true;
  return isMixed(value) && (value.length >= MIN_BARE_CHARS || PASSWORD_NAME.test(name));
}

function isQuotedSecret(name: string, value: string): boolean {
  if (PASSWORD_NAME.test(name)) return true;
  return !/\s/.test(value) && (isMixed(value) || value.length >= MIN_LETTERS_CHARS);
}
