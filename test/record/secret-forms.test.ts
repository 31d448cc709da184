import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTEXT_RULES, CONTEXT_RULES_REVIEWED } from '../../src/record/redaction/context-rules.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { TOKEN_RULES, TOKEN_RULES_REVIEWED } from '../../src/record/redaction/token-rules.ts';
import { newFolder } from './sqlite/places.ts';

/** Both directions are counted: secrets that stay (leaks), and honest text that is changed (harm). */
const redactor = createRedactor();
/** Put together here, so that no scanner takes this file for a leak. */
const random = (length: number, from = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz'): string =>
  from.repeat(Math.ceil(length / from.length)).slice(0, length);
const TOKEN = `ghp_${random(36)}`;
const OPAQUE = 'hT7kPq29xLmZ';
const KEY = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');
const KEY_LINES = [KEY, random(64), random(64, 'Zq8Wx6Ec4Rv2Tb0Yn'), KEY.replace('BEGIN', 'END')];

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string =>
  text
    .split('')
    .map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .join('');
const unicode = (text: string): string =>
  text
    .split('')
    .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
const coloured = (text: string): string =>
  text
    .split('')
    .map((char) => `\x1b[3${char.length}m${char}`)
    .join('');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a secret may be written. The second is the text that must be gone. */
const FORMS: Readonly<Record<string, readonly [text: string, gone: string]>> = {
  plain: [TOKEN, TOKEN],
  'glued to a word before it': [`mytoken${TOKEN}`, TOKEN],
  'glued to words on both sides': [`x_${TOKEN}_suffix`, TOKEN],
  'coloured in the middle': [`ghp_\x1b[31m${random(36)}\x1b[0m`, random(36)],
  'coloured letter by letter': [coloured(TOKEN), coloured(TOKEN).slice(60, 120)],
  'colour written as JSON': [json(`gh\x1b[1mp_${random(36)}\x1b[22m`), random(36)],
  'with characters without width': [TOKEN.split('').join('\u200b'), TOKEN.split('').join('\u200b').slice(10)],
  'as UTF-16 with zero bytes': [TOKEN.split('').join('\0'), TOKEN.split('').join('\0').slice(10)],
  'URL-encoded whole': [percent(TOKEN), percent(TOKEN)],
  'URL-encoded twice': [encodeURIComponent(percent(TOKEN)), random(36)],
  'in unicode escapes': [unicode(TOKEN), unicode(TOKEN).slice(12)],
  'JSON in JSON': [json(json(`{"api_key":"${OPAQUE}"}`)), OPAQUE],
  'JSON in JSON in JSON': [json(json(json(`{"password":"${OPAQUE}"}`))), OPAQUE],
  'in base64': [base64(`token is ${TOKEN}`), base64(`token is ${TOKEN}`).slice(20, 60)],
  'in hexadecimal': [`dump: ${hex(TOKEN)}`, hex(TOKEN).slice(20, 60)],
  'assignment in hexadecimal': [hex(`password=${OPAQUE}`), hex(OPAQUE)],
  'between three quotes': [`secret = '''${OPAQUE}'''`, OPAQUE],
  'between three double quotes': [`API_KEY = """${OPAQUE}"""`, OPAQUE],
  'in base64 of JSON': [base64(`{"password":"${OPAQUE}"}`), base64(`{"password":"${OPAQUE}"}`).slice(8)],
  'in base64 in an address': [`https://x.test/a/${base64(TOKEN)}?b=1`, base64(TOKEN).slice(8)],
  'pair in the docker configuration': [
    `{"auths":{"x":{"auth":"${base64(`me:${OPAQUE}`)}"}}}`,
    base64(`me:${OPAQUE}`),
  ],
  'pair for npm': [`//r.test/:_auth=${base64(`me:${OPAQUE}`)}`, base64(`me:${OPAQUE}`)],
  'HTML attribute': [`data-x="{&quot;password&quot;:&quot;${OPAQUE}&quot;}"`, OPAQUE],
  'quoted key': [`{"password": "${OPAQUE}"}`, OPAQUE],
  'single-quoted key': [`{'secret_key': '${OPAQUE}'}`, OPAQUE],
  'key in brackets': [`config["db_password"] = "${OPAQUE}"`, OPAQUE],
  'value with an escaped quote': ['{"password":"ab\\"hT7kPq29xLmZ"}', OPAQUE],
  YAML: [`password: ${OPAQUE}`, OPAQUE],
  'short YAML': ['  password: hunter2', 'hunter2'],
  'flag with a space': [`tool --password ${OPAQUE} --verbose`, OPAQUE],
  'flag with an equals sign': [`tool --api-key=${OPAQUE}`, OPAQUE],
  'ADO connection string': [`Server=db;User Id=sa;Password=${OPAQUE};Encrypt=true`, OPAQUE],
  'storage connection string': [`AccountName=x;AccountKey=${random(60)}==;EndpointSuffix=y`, random(60)],
  'address of a database': [`mongodb+srv://app:${OPAQUE}@c0.test/db`, OPAQUE],
  'password with an at sign in an address': [`postgres://app:p@${OPAQUE}@db/x`, OPAQUE],
  'query of an address': [`GET /v1?user=me&access_token=${OPAQUE}`, OPAQUE],
  'cookie header': [`Cookie: theme=dark; sid=${OPAQUE}`, OPAQUE],
  'set-cookie header': [`set-cookie: sid=${OPAQUE}; Path=/; HttpOnly`, OPAQUE],
  'curl with a user': [`curl -sS -u alice:${OPAQUE} https://x.test`, OPAQUE],
  'curl with a quoted user': [`curl --user 'alice:${OPAQUE}' https://x.test`, OPAQUE],
  'mysql with a password': [`mysqldump -h db -u root -p${OPAQUE} shop`, OPAQUE],
  netrc: [`machine x.test login me password ${OPAQUE}`, OPAQUE],
  'netrc over lines': [`machine x.test\n  login me\n  password ${OPAQUE}\n`, OPAQUE],
  'basic authorization': [`Authorization: Basic ${base64(`me:${OPAQUE}`)}`, base64(`me:${OPAQUE}`)],
  'bearer authorization in JSON': [`{\\"authorization\\":\\"Bearer ${OPAQUE}xyz\\"}`, OPAQUE],
  'private key': [KEY_LINES.join('\n'), KEY_LINES[2] as string],
  'private key with line numbers': [
    KEY_LINES.map((line, index) => `     ${index + 1}→${line}`).join('\n'),
    KEY_LINES[2] as string,
  ],
  'private key in a coloured difference': [
    KEY_LINES.map((line) => `\x1b[31m-${line}\x1b[m`).join('\n'),
    KEY_LINES[2] as string,
  ],
  'private key URL-encoded': [
    encodeURIComponent(KEY_LINES.join('\n')),
    encodeURIComponent(KEY_LINES[2] as string),
  ],
};

/** Where a text may stand. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => redactor.redact(text),
  'between lines': (text) => redactor.redact(`before\n${text}\nafter`),
  'in a value': (text) => JSON.stringify(redactor.redactDeep({ a: [{ text }] })),
  'in a name': (text) => JSON.stringify(redactor.redactDeep({ [text]: 1 })),
  'in JSON': (text) => redactor.redactJson(JSON.stringify({ output: `$ run\n${text}\n` })),
  'in JSON inside text': (text) => redactor.redact(`event ${JSON.stringify({ output: `$ run\n${text}\n` })}`),
};

const HONEST: readonly string[] = [
  'commit 4863873d6a279ff74d5df40c4c915b1e6a2c3f0d9 of main',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'id 550e8400-e29b-41d4-a716-446655440000',
  '"integrity": "sha512-GJ1XmXJ0pBf3rCqbx6Pz0Qw6xw6gq4U2c0m3F9m7mZg0Rz8bq8yq1j2Vb2cVw=="',
  `<img src="data:image/png;base64,iVBORw0KGgo${random(400)}">`,
  'the password reset page shows the password field',
  'Password: incorrect, try again',
  'tool --password-file /run/secrets/db --token-file=/run/token --password-stdin',
  'const key = process.env.API_KEY ?? "";',
  'api_key = os.environ["API_KEY"]',
  'const password = await prompt("Password: ");',
  'if (password !== expectedPassword) throw new Error("wrong password");',
  'password: z.string().min(8), token: z.string()',
  'function login(password: string, token?: string): Promise<Session>',
  'curl -u "$USER:$PASS" https://x.test && curl -sS https://x.test/a.tgz -o a.tgz',
  'docker run -p 8080:80 -p3306:3306 mysql:8',
  'gcc -pthread -I/usr/include/mysql main.c',
  'mysql -u root -p shop < dump.sql',
  'cookie: consent banner; cookies are set by the server',
  'Set-Cookie is not read here',
  'Authorization: Bearer ${TOKEN}',
  'Authorization header is missing',
  'see http://localhost:3000/@scope/package and git@github.com:owner/name.git',
  'https://github.com/a/b/blob/main/src/authentication/session-token-store.test.ts',
  'max_tokens: 4096, "total_tokens": 12345, MAX_TOKENS=200000, cache_key: users',
  'session_id: 019a8442-6d1c-7d3e-8f0a-2b1c3d4e5f60',
  '{"agentSession":"8282b6d2-f334-4783-b03f-b9e9e7d73e4c","sessionId":"ses_5c1e0a9bffe2XyZ01"}',
  'PASS src/auth/password.test.ts (12 tests)\nPASS: token refresh',
  'Progress: 45% done, 100%20 of it; printf "%-20s"',
  'C:\\Users\\new\\table\\x64\\release',
  'aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBwbGFpbiB0ZXh0',
  'MDQ6VXNlcjEyMzQ1Njc4OTAxMg==',
  'class="sk-circle-fade-dot sk-loading-animation-container"',
  'risk-assessment-for-the-2024-Quarter-One-Report task-management-Board-2024-v2',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'machine learning with login pages and password managers',
  'npm_config_registry npm_package_version npm_lifecycle_event',
  'export const TOKEN_KEY = STORAGE_TOKEN_KEY;',
  '\x1b[32m✓\x1b[39m resets the password \x1b[2m12 ms\x1b[22m',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJtT0fP1kqkXyqV9uV1m1b8yJ2sQ5r7w9x0z me@host',
  'h1:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG= go.sum',
  'webhook: POST /hooks/deploy was called',
];

describe('secrets in every form and place', () => {
  it('stay nowhere, and honest text stays as it is', () => {
    const leaks = Object.entries(FORMS).flatMap(([form, [text, gone]]) =>
      Object.entries(PLACES)
        .filter(([, put]) => stays(put(text), gone))
        .map(([place]) => `${form}, ${place}`),
    );
    const harm = HONEST.flatMap((text) => [
      ...(redactor.redact(text) === text ? [] : [redactor.redact(text)]),
      ...(redactor.redactJson(JSON.stringify({ text })) === JSON.stringify({ text })
        ? []
        : [`JSON: ${text}`]),
    ]);
    const planted = Object.keys(FORMS).length * Object.keys(PLACES).length;
    console.log(
      `redaction: ${planted - leaks.length} of ${planted} planted secrets hidden, ${HONEST.length * 2 - harm.length} of ${HONEST.length * 2} honest texts left alone (tables reviewed ${TOKEN_RULES_REVIEWED} and ${CONTEXT_RULES_REVIEWED})`,
    );
    expect({ leaks, harm }).toEqual({ leaks: [], harm: [] });
    expect(Object.keys(FORMS).length).toBeGreaterThanOrEqual(40);
  });

  it.each(TOKEN_RULES)('the example of $name ($prefixes.0) is found, also glued to a word', (rule) => {
    const letters = { hex: 'a1b2c3d4e5f60718', capitals: 'ABCDEFGH234567' }[rule.body as string];
    const example = rule.example.replaceAll(/\{(\d+)\}/g, (_, chars: string) =>
      random(Number(chars), letters),
    );
    expect(redactor.redact(`x ${example} y`)).toBe(`x [redacted:${rule.name}] y`);
    if (rule.startsWord !== true) expect(redactor.redact(`x${example}`)).toBe(`x[redacted:${rule.name}]`);
  });

  it.each(CONTEXT_RULES)('the example of $name is found: $example', (rule) => {
    const secret =
      {
        'telegram-token': `123456789:AA${random(33)}`,
        'azure-secret': `abc8Q~${random(34)}`,
        'terraform-token': `${random(14)}.atlasv1.${random(64)}`,
      }[rule.name] ?? random(24);
    expect(redactor.redact(rule.example.replace('{secret}', secret))).not.toContain(secret);
  });

  it('words of a command and pairs of name and value are read together', () => {
    expect(
      redactor.redactDeep({
        argv: ['tool', '--password', OPAQUE, '--verbose'],
        env: [
          { name: 'DB_PASSWORD', value: OPAQUE },
          { name: 'PORT', value: '8080' },
        ],
        headers: { cookie: [`sid=${OPAQUE}`], accept: 'text/html' },
      }),
    ).toEqual({
      argv: ['tool', '--password', '[redacted:assignment]', '--verbose'],
      env: [
        { name: 'DB_PASSWORD', value: '[redacted:assignment]' },
        { name: 'PORT', value: '8080' },
      ],
      headers: { cookie: ['[redacted:assignment]'], accept: 'text/html' },
    });
  });

  it('a known secret is found inside base64 of a longer text, at any place', () => {
    const known = createRedactor({ values: ['correct horse battery'] });
    for (const before of ['', 'u', 'us', 'user:', 'admin:'])
      for (const after of ['', '!', '@host', ' and more'])
        expect(known.redact(base64(`${before}correct horse battery${after}`)), before + after).toContain(
          '[redacted:',
        );
  });

  it('reach no file of the record', async () => {
    const folder = await newFolder();
    const record = await openSqliteRecord({ path: join(folder, 'record.db'), redactor: () => redactor });
    await record.publish(
      Object.values(FORMS).map(([text]) => ({
        at: 1,
        source: 'external' as const,
        body: JSON.stringify({ type: 'CRITICAL', agent_id: 'a', task_id: 't', error: text }),
      })),
    );
    await record.close();
    const bytes = await readFile(join(folder, 'record.db'), 'utf8');
    expect(bytes).toContain('[redacted:');
    expect(Object.entries(FORMS).filter(([, [, gone]]) => stays(bytes, gone))).toEqual([]);
  });
});

/** As it is, or as JSON writes it. */
function stays(text: string, gone: string): boolean {
  return text.includes(gone) || text.includes(json(gone));
}
