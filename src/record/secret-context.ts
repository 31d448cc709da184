import type { SecretRule } from './secret-rules.ts';

/** One of these is part of every name that `isSecretName` accepts. */
export const SECRET_WORDS: readonly string[] = [
  'secret',
  'token',
  'passw',
  'passphrase',
  'passcode',
  'pwd',
  'key',
  'credential',
  'connection',
];

/** Names of variables and fields whose value is a secret. A plural (MAX_TOKENS) is a count. */
const SECRET_NAME =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|API_?KEY|ACCESS_?KEY|ACCOUNT_?KEY|PRIVATE_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|MASTER_?KEY|AUTH_?KEY|SECRET_?KEY|CREDENTIALS?|CONNECTION_?STRING)(?:_?(?:VALUE|BASE64|B64|PROD|DEV|TEST|STAGING|\d{1,3})){0,2}$/i;
/** The working directory is not a password. */
const NOT_SECRET_NAME = /^(?:OLD)?PWD$/;

export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[.-]/g, '_');
  return SECRET_NAME.test(words) && !NOT_SECRET_NAME.test(words);
}

/** References, placeholders and words of a program are not secrets. */
const NOT_A_VALUE =
  /^(?:[$<{%(*[]|process\.|os\.|env\.|secrets\.|self\.|this\.|null|none|nil|true|false|undefined|string|number|boolean|any|str|required|optional|x{3,}$|\.{3}|your[_-]|example|placeholder|redacted|change_?me|\d{1,12}$|https?:\/\/[^@]*$|\/)/i;
const MIN_VALUE_CHARS = 6;
/** Without quotes and with a name in small letters it may be code: only what no programmer would write by hand. */
const MIN_BARE_CHARS = 12;
/** A quoted word of letters only (`token: "identifier"`) is a word; from this length on it is not. */
const MIN_LETTERS_CHARS = 20;

const mixed = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

/** `NAME=`, `name: `, `"name": `, `--name=`; an escaped line end before the name counts as a border. */
const NAME =
  /(?:(?<![\w./\\-])|(?<=(?<![\w-])--?)|(?<=\\[nrt]))(?<name>[A-Za-z_][\w.-]{2,80})\\?["']?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}/g;
const VALUE =
  /\\?"(?<double>[^"\\\n]{1,1024})|\\?'(?<single>[^'\\\n]{1,1024})|(?<bare>[^\s"'`\\,;&|)}\]]{1,1024})/dy;

export interface Found {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export function findAssignments(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(NAME)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const name = match.groups?.['name'] as string;
    if (!isSecretName(name)) continue;
    VALUE.lastIndex = match.index + match[0].length;
    const groups = VALUE.exec(text)?.indices?.groups;
    const quoted = groups?.['double'] ?? groups?.['single'];
    const place = quoted ?? groups?.['bare'];
    if (place === undefined) continue;
    const [start, end] = place;
    const value = text.slice(start, end);
    if (isSecretAssignment(name, value, quoted !== undefined)) found.push({ name: 'assignment', start, end });
  }
  return found;
}

/** Whether `value`, given to something called `name`, is to be hidden. */
export function isSecretAssignment(name: string, value: string, quoted: boolean): boolean {
  if (value.length < MIN_VALUE_CHARS || NOT_A_VALUE.test(value) || !isSecretName(name)) return false;
  return quoted ? isQuotedSecret(name, value) : isBareSecret(name, value);
}

function isBareSecret(name: string, value: string): boolean {
  const isCode =
    /[(<>{[]/.test(value) ||
    /^[A-Za-z_]\w*(?:\.[A-Za-z_]+)+$/.test(value) ||
    /^[A-Z]+(?:_[A-Z]+)+$/.test(value);
  if (isCode) return false;
  return /^[A-Z0-9_]+$/.test(name) || (value.length >= MIN_BARE_CHARS && mixed(value));
}

function isQuotedSecret(name: string, value: string): boolean {
  if (/pass|pwd/i.test(name)) return true;
  return !/\s/.test(value) && (mixed(value) || value.length >= MIN_LETTERS_CHARS);
}

const isValue = (secret: string): boolean => !NOT_A_VALUE.test(secret);

/** Secrets that are told by what stands before them on the line. */
export const CONTEXT_RULES: readonly SecretRule[] = [
  {
    name: 'url-password',
    hints: ['://'],
    pattern: /:\/\/[^\s/?#:@'"\\]{0,128}:(?<secret>[^\s/?#@'"\\]{1,256})@/dg,
    accepts: isValue,
  },
  {
    name: 'authorization',
    hints: ['uthorization', 'UTHORIZATION'],
    pattern:
      /authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?:(?:basic|bearer|token|digest|negotiate|apikey)[ \t]{1,8})?(?<secret>[^\s"'\\,;]{6,8192})/dgi,
    accepts: (secret) => isValue(secret) && !/^(?:basic|bearer|token|digest|negotiate|apikey)$/i.test(secret),
  },
  {
    name: 'authorization',
    hints: ['earer '],
    pattern: /(?<![\w-])bearer (?<secret>[\w.~+/=-]{16,8192})/dgi,
    accepts: (secret) => isValue(secret) && mixed(secret),
  },
  {
    name: 'header',
    hints: ['-api-key', '-Api-Key', '-API-Key', '-API-KEY', '-token', '-Token', '-TOKEN', '-key', '-Key'],
    pattern:
      /(?<![\w/-])(?:x-api-key|x-goog-api-key|api-key|x-auth-token|x-access-token|private-token|x-gitlab-token|x-vault-token|x-amz-security-token)\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?<secret>[^\s"'\\,;]{6,8192})/dgi,
    accepts: isValue,
  },
];
