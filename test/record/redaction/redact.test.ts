import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { sampled } from '../../lane.ts';
import { processorMs } from '../../processor-time.ts';

const plain = createRedactor();
const ALPHABET = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz';
/** Put together here, so that no scanner takes this file for a leak. */
const random = (length: number): string =>
  ALPHABET.repeat(Math.ceil(length / ALPHABET.length)).slice(0, length);
const pem = (kind: string, lines: number): string =>
  [
    `-----BEGIN ${kind}PRIVATE KEY-----`,
    ...Array.from({ length: lines }, () => random(64)),
    `-----END ${kind}PRIVATE KEY-----`,
  ].join('\n');

const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ['github-token', `ghp_${random(36)}`],
  ['github-token', `github_pat_${random(22)}_${random(59)}`],
  ['gitlab-token', `glpat-${random(20)}`],
  ['anthropic-key', `sk-ant-api03-${random(80)}`],
  ['openai-key', `sk-proj-${random(48)}`],
  ['openai-key', `sk-${random(48)}`],
  ['openrouter-key', `sk-or-v1-${'0a'.repeat(32)}`],
  ['aws-access-key', `AKIA${'ABCDEFGH23456777'}`],
  ['google-key', `AIza${random(35)}`],
  ['slack-token', `xoxb-${'1234567890'}-${random(24)}`],
  ['stripe-key', `sk_live_${random(24)}`],
  ['npm-token', `npm_${random(36)}`],
  ['pypi-token', `pypi-${random(60)}`],
  ['huggingface-token', `hf_${random(34)}`],
  ['sendgrid-key', `SG.${random(22)}.${random(43)}`],
  ['jwt', `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`],
  ['telegram-token', `123456789:AA${random(33)}`],
  ['private-key', pem('', 4)],
  ['private-key', pem('OPENSSH ', 20)],
  ['private-key', pem('RSA ', 3).replaceAll('\n', '\\n')],
];

const IN_CONTEXT: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ['url-password', 'postgres://app:s3cr:et@db.internal:5432/x', 's3cr:et'],
  ['url-password', 'cloning https://x-access-token:opaque42@github.com/a/b.git', 'opaque42'],
  ['authorization', 'Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['authorization', `"authorization": "Bearer ${random(20)}"`, random(20)],
  ['authorization', `curl -H 'Authorization: token ${random(12)}'`, random(12)],
  ['authorization', `sent bearer ${random(30)} to it`, random(30)],
  ['header', 'x-api-key: 0123abcd', '0123abcd'],
  ['assignment', 'export DB_PASSWORD=hunter2x', 'hunter2x'],
  ['assignment', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCY', 'wJalrXUtnFEMIK7MDENGbPxRfiCY'],
  ['assignment', 'password: "correct horse battery"', 'correct horse battery'],
  ['assignment', '{"client_secret":"a1b2c3d4"}', 'a1b2c3d4'],
  ['assignment', '{\\"apiKey\\":\\"a1b2c3d4\\"}', 'a1b2c3d4'],
  ['assignment', 'line one\\nAPI_TOKEN=a1b2c3d4', 'a1b2c3d4'],
  ['assignment', 'env: SERVICE_TOKEN=a1b2c3d4 run', 'a1b2c3d4'],
  ['assignment', 'tool --auth-token=a1b2c3d4e5f6g7', 'a1b2c3d4e5f6g7'],
];

const HONEST = [
  'commit 4863873d6a279ff74d5df40c4c915b1e6a2c3f0d9 of main',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'id 550e8400-e29b-41d4-a716-446655440000',
  '"integrity": "sha512-GJ1XmXJ0pBf3rCqbx6Pz0Qw6xw6gq4U2c0m3F9m7mZg0Rz8bq8yq1j2Vb2cVw=="',
  'max_tokens: 4096, "total_tokens": 12345, MAX_TOKENS=200000',
  'const token = parser.nextToken();',
  'password: string; secret?: string | undefined',
  'token: "identifier"',
  'api_key = os.environ["API_KEY"]',
  'API_KEY=$API_KEY PASSWORD=${PASSWORD} TOKEN=<your token>',
  'GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}',
  'PWD=/home/me/project OLDPWD=/home/me',
  'SSH_AUTH_SOCK=/tmp/ssh-XXXX/agent.123 TOKEN_FILE=/run/secrets/token',
  'http://localhost:3000/@scope/package and git@github.com:owner/name.git',
  'class="sk-circle-fade-dot sk-loading-animation-container"',
  'risk-assessment-for-the-2024-Quarter-One-Report',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'export const TOKEN_KEY = STORAGE_TOKEN_KEY;',
  'tests: 12 passed, 3 failed in auth.test.ts (password reset)',
  'see https://example.com/docs?token=&page=2',
];

/** Below this a clock tells nothing. */
const MEASURABLE_MS = 5;

describe('redaction', () => {
  it.each(SECRETS)('recognises a %s wherever it stands', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['x ', ' y'],
      ['"', '",'],
      ['=', '\n'],
      ['line\\n', '\\n'],
      ['(', ')'],
    ] as const)
      expect(plain.redact(`${before}${secret}${after}`)).toBe(`${before}[redacted:${kind}]${after}`);
  });

  it('redacts a private key that was cut off in the middle', () => {
    const torn = pem('EC ', 4).slice(0, 200);
    expect(plain.redact(`x\n${torn}`)).toBe('x\n[redacted:private-key]');
    expect(plain.redact(`x\n${torn}\n$ next command`)).toBe('x\n[redacted:private-key]$ next command');
  });

  it.each(IN_CONTEXT)('recognises a %s by what stands before it: %s', (kind, text, secret) => {
    expect(plain.redact(text)).toBe(text.replace(secret, `[redacted:${kind}]`));
  });

  it.each(HONEST)('leaves honest text alone: %s', (text) => {
    expect(plain.redact(text)).toBe(text);
  });

  it('knows the secrets of the environment by value, in any common writing', () => {
    const value = 'pa$$ "word" \\ of/ours';
    const redactor = createRedactor({
      environment: {
        SERVICE_PASSWORD: value,
        HOME: '/home/somebody',
        API_TOKEN: 'short',
        NPM_TOKEN: '/etc/npm/token',
        LONG_TOKEN: '100000000',
      },
      values: ['tiny-pin'],
    });
    for (const written of [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ])
      expect(redactor.redact(`a ${written} b`)).toBe('a [redacted:known-secret] b');
    expect(redactor.redact('the tiny-pin')).toBe('the [redacted:known-secret]');
    const honest = '/home/somebody is short of 100000000 at /etc/npm/token';
    expect(redactor.redact(honest)).toBe(honest);
  });

  it('knows a secret of several lines by each of its lines', () => {
    const lines = [random(40), random(30)];
    const redactor = createRedactor({ environment: { DEPLOY_SECRET: lines.join('\n') } });
    expect(redactor.redact(`one ${lines[1]} two`)).toBe('one [redacted:known-secret] two');
    expect(redactor.redact(lines.join('\n'))).toBe('[redacted:known-secret]');
  });

  it('is not fooled by a secret inside something that looks like a marker', () => {
    const secret = `ghp_${random(36)}`;
    expect(plain.redact(`[redacted:${secret}]`)).not.toContain(secret);
  });

  it('changes nothing the second time', () => {
    const redactor = createRedactor({ values: ['redacted', 'known-secret', 'token'] });
    const piece = fc.oneof(
      fc.constantFrom(
        ...SECRETS.map(([, secret]) => secret),
        ...IN_CONTEXT.map(([, text]) => text),
        ...HONEST,
      ),
      fc.constantFrom(
        'redacted',
        'token',
        '[redacted:jwt]',
        '[redacted:',
        ']',
        'API_TOKEN=',
        '"',
        '\n',
        ' ',
        '://a:',
        '@',
        '-----END ',
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactor.redact(pieces.join(''));
        expect(redactor.redact(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('goes through every string of a value and leaves its shape', () => {
    const secret = `ghp_${random(36)}`;
    expect(plain.redactDeep({ a: [secret, 1, null, { b: `x ${secret}` }], c: true })).toEqual({
      a: ['[redacted:github-token]', 1, null, { b: 'x [redacted:github-token]' }],
      c: true,
    });
  });

  describe('of JSON', () => {
    const VALUES = ['48151623', 'hunter2hunter2'];
    const secret = `ghp_${random(36)}`;
    const redactor = createRedactor({ values: VALUES });
    /** What the very value becomes, by a redactor that has seen nothing before. */
    const asValue = (text: string): string => {
      const anew = createRedactor({ values: VALUES });
      let value: unknown;
      try {
        value = JSON.parse(/^\s*[{["]/.test(text) ? text : '');
      } catch {
        return anew.redact(text);
      }
      const clean = JSON.stringify(anew.redactDeep(value));
      return clean === JSON.stringify(value) ? text : clean;
    };
    const text = fc.oneof(
      fc.constantFrom(
        'plain',
        secret,
        `x ${secret}`,
        ...VALUES,
        '--token',
        '-p',
        'API_TOKEN',
        'a1b2c3d4e5f6g7',
      ),
      fc.constantFrom(...SECRETS.map(([, each]) => each), ...IN_CONTEXT.map(([, each]) => each), ...HONEST),
      fc.constantFrom(
        '[redacted:jwt]',
        'dXNlcjpwYXNzd29yZA==',
        'a=b; c=d0d0d0d0d0d0d0d0',
        'a "quoted" \\ word\n\u0001',
      ),
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((date) => date.toISOString()),
      fc.string(),
    );
    const name = fc.oneof(
      fc.constantFrom(
        'a',
        'name',
        'key',
        'value',
        'dbPass',
        'apiKey',
        'cookie',
        'Authorization',
        'auth',
        secret,
      ),
      fc.string({ maxLength: 4 }),
    );
    const { any } = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.double(),
        fc.constantFrom(true, false, null, 48_151_623),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(name, tie('any'), { maxKeys: 4 }),
      ),
    }));
    /** As the documents of a run, which begin alike and differ little. */
    const alike = fc.tuple(any, any, any).map(([b, c, d]) => ({ a: 'plain', b, c, d }));
    /** The value as text, some of its characters as escapes. */
    const written = fc
      .tuple(
        fc.oneof(any, alike),
        fc.constantFrom(0, 2),
        fc.constantFrom(/(?!)/g, /[a-z]/g, /[A-Z_0-9]/g, /[pk]/gi),
      )
      .map(([value, indent, escaped]) =>
        JSON.stringify(value, null, indent).replaceAll(/"(?:[^"\\]|\\.)*"/g, (each) =>
          each.replaceAll(/\\.|[^\\]/g, (char) =>
            char.length === 1 && char.replaceAll(escaped, '') === ''
              ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
              : char,
          ),
        ),
      );

    it('hides in JSON what it hides in values, however often it saw the text, and else gives back the very text', () => {
      fc.assert(
        fc.property(written, (json) => {
          expect(redactor.redactJson(json)).toBe(asValue(json));
        }),
        { numRuns: 2000 },
      );
      // A number is JSON too, and may be what a person named as secret.
      expect(redactor.redactJson('48151623')).toBe('[redacted:known-secret]');
    });

    it('takes what is no JSON as text', () => {
      const pieces = fc.constantFrom(
        '',
        '"',
        '\\',
        '\\"',
        ',',
        ':',
        '{',
        '}',
        '[',
        ']',
        '1',
        '-',
        'e',
        ' ',
        '\n',
        '\0',
        'null',
      );
      fc.assert(
        fc.property(written, fc.nat(), pieces, fc.nat(2), (json, at, put, taken) => {
          const place = at % (json.length + 1);
          const broken = `${json.slice(0, place)}${put}${json.slice(place + taken)}`;
          expect(redactor.redactJson(broken)).toBe(asValue(broken));
        }),
        { numRuns: 3000 },
      );
    });

    it.each(['2026', '-11-17T01', '03.000Z'])('hides %s in a time if that is known as a secret', (known) => {
      const json = JSON.stringify({ at: '2026-11-17T01:30:03.000Z' });
      expect(createRedactor({ values: [known] }).redactJson(json)).toContain('[redacted:known-secret]');
    });

    it.each([
      '[48151623',
      '["a" 48151623]',
      '["a",48151623',
      '{"a":48151623]',
      '[48151623 1]',
      '{"a",48151623}',
    ])('takes %s as text, in which a number may be a secret', (broken) =>
      expect(redactor.redactJson(broken)).toContain('[redacted:known-secret]'),
    );

    it('is not misled by a document that began alike', () => {
      const before = '["x","y","z","w",48151623,"v"]';
      expect(redactor.redactJson(before)).toBe(before);
      // Because of the escaped quote this text stands where the number stood.
      expect(redactor.redactJson('["x","y","q\\"",",48151623,"]')).toContain('[redacted:known-secret]');
    });

    it('is not misled by a document that ended alike', () => {
      const before = '{"a":"b","c\\"cookie":"sid=0123456789abcdef0"}';
      expect(redactor.redactJson(before)).toBe(before);
      // Here the quote begins the name of a secret.
      expect(redactor.redactJson('{"a":"b","cookie":"sid=0123456789abcdef0"}')).toContain('[redacted:');
    });

    it.each([64, 65, 66])('of %i lists in each other', (depth) => {
      const json = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
      expect(redactor.redactJson(json)).toBe(asValue(json));
      expect(redactor.redactJson(json) === json).toBe(depth <= 64);
    });
  });

  it.each(['dbPass', 'db.pass', 'db-pat', 'myJwt', 'API-KEY', 'connectionString', 'oldPwd', 'Credentials'])(
    'the name %s tells a secret, in every way that names are written',
    (name) =>
      expect(plain.redactDeep({ [name]: 'a1b2c3d4e5f6' })).toEqual({ [name]: '[redacted:assignment]' }),
  );

  it('takes time in proportion to the text, whatever the text', () => {
    const hostile = [
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      'eyJ',
      'eyJa.',
      'sk-',
      'ghp_a',
      'password=',
      'password:"',
      'a-',
      'A_',
      'Authorization: ',
      '\\n',
      'Version: ',
      ' =',
      '"',
      '123456789:',
      '[redacted:',
      'Bearer ',
      'x',
      '%41',
      '\\u0041',
      '\x1b[1m',
      '&amp;',
      'curl -u ',
      'mysql a ',
      'AKIA',
      'QUtJQUFB',
      'cookie: a=',
      'login a ',
      '--token ',
      '://:@',
    ];
    for (const piece of sampled(hostile, 6)) {
      const time = (chars: number): number => {
        const text = piece.repeat(chars / piece.length);
        return processorMs(() => plain.redact(text));
      };
      time(20_000);
      // Eight times the text: about eight times the work if it is linear, sixty-four if it is not.
      const ratio = () => time(800_000) / Math.max(time(100_000), MEASURABLE_MS);
      expect(Math.min(ratio(), ratio()), piece).toBeLessThan(32);
    }
  });
});

it('looks through a run of millions of characters, and finds the token after it', () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const text = `${'a'.repeat(20_000_000)} ${token}`;
  expect(createRedactor().redact(text).endsWith(' [redacted:github-token]')).toBe(true);
});
