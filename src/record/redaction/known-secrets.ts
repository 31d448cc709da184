/** `knownSecrets`: the texts by which secrets of this machine are recognised, longest first: each value and how it is commonly written. */
import { isSecretName } from './secret-context.ts';

/** Shorter values (a port, a user name) occur everywhere in honest text. */
const MIN_ENVIRONMENT_CHARS = 8;
/** A value that a person named as secret is hidden even if it is short, down to the length of a PIN. */
const MIN_GIVEN_CHARS = 4;
/** A secret of several lines (a key in a variable) is also recognised by one of its lines. */
const MIN_LINE_CHARS = 16;
/** Each secret is searched for in all text; more secrets than this do not occur in practice. */
const MAX_NEEDLES = 400;

export function knownSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  values: readonly string[],
): string[] {
  const secrets = values.filter((value) => value.length >= MIN_GIVEN_CHARS);
  for (const [name, value = ''] of Object.entries(environment))
    if (isSecretName(name) && value.length >= MIN_ENVIRONMENT_CHARS && !isHarmless(value))
      secrets.push(value);
  const needles = new Set(secrets.flatMap(writings));
  return [...needles].toSorted((a, b) => b.length - a.length).slice(0, MAX_NEEDLES);
}

/** Variables with a secret name sometimes hold a switch, a number or a path. */
function isHarmless(value: string): boolean {
  return (
    /^(?:\d+|true|false|enabled|disabled|required|optional|default)$/i.test(value) ||
    /^[/~.][\w./-]*$/.test(value)
  );
}

function writings(secret: string): string[] {
  const trimmed = secret.trim();
  const lines = trimmed
    .split(/\r?\n|\\n/)
    .filter((line) => line.length >= MIN_LINE_CHARS && !line.startsWith('-----'));
  const encoded = [
    encodeURIComponent(trimmed.toWellFormed()),
    JSON.stringify(trimmed).slice(1, -1),
    JSON.stringify(JSON.stringify(trimmed).slice(1, -1)).slice(1, -1),
    Buffer.from(trimmed).toString('hex'),
    ...base64Writings(trimmed),
  ].filter((text) => text.length >= MIN_ENVIRONMENT_CHARS);
  return trimmed === '' ? [] : [trimmed, ...lines, ...encoded];
}

/** In base64 of a longer text (`user:SECRET`) a secret has one of three writings: its ends depend on its neighbours. */
function base64Writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((shift * 8) / 6), shift === 0 && whole !== text.length ? text.length : whole);
  });
}
