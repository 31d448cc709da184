import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { RedactionStream } from '../../../src/record/redaction/redaction-stream.ts';

const KNOWN = 'our own little secret';
const redactor = createRedactor({ values: [KNOWN] });
const body = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz'.repeat(2);
const token = `ghp_${body.slice(0, 36)}`;
const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${body}\n`.repeat(5)}-----END RSA PRIVATE KEY-----`;

function streamed(chunks: readonly string[]): string {
  const stream = new RedactionStream(redactor);
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end();
}

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (let index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] as number;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

describe('redaction of a stream', () => {
  it('gives the same as redaction of the whole, however the text is cut', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        token,
        key,
        KNOWN,
        `API_TOKEN=${body}`,
        'Authorization: Bearer ',
        body,
        '\n',
        ' ',
        '"',
        '-----BEGIN ',
        '-----END ',
        '\x1b[31m',
        '%67hp_',
        '\\u0067hp_',
        'password: ',
        'curl -u me:',
      ),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
        (pieces, sizes) => {
          const text = pieces.join('');
          expect(streamed(cut(text, sizes))).toBe(redactor.redact(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('lets whole lines go at once', () => {
    const stream = new RedactionStream(redactor);
    expect(stream.push(`one ${token}\ntwo`)).toBe('one [redacted:github-token]\n');
    expect(stream.push(' three\n')).toBe('two three\n');
  });

  it('finds secrets in a line without end, at every place where it may be let go', () => {
    for (const secret of [token, KNOWN, `API_TOKEN=${body}`])
      for (const filler of ['x ', 'x,'])
        for (const shift of [0, 1, 5, 40, 300]) {
          const text = `${filler.repeat(24_000)}${'-'.repeat(shift)} ${secret} `.repeat(12);
          const out = streamed(cut(text, [4096 + shift]));
          expect(out).not.toContain(secret);
          expect(out.split('[redacted:').length - 1).toBe(12);
          expect(out.startsWith(filler.repeat(24_000))).toBe(true);
        }
  });

  it('holds a bounded part of a line, and of a key, that never ends', () => {
    for (const [begin, filler] of [
      ['', 'word '],
      ['-----BEGIN PRIVATE KEY-----\n', `${body}\n`],
    ] as const) {
      const stream = new RedactionStream(redactor);
      let inside = begin.length;
      let out = stream.push(begin).length;
      for (let index = 0; index < 200; index++) {
        inside += filler.repeat(1000).length;
        out += stream.push(filler.repeat(1000)).length;
      }
      if (begin === '') expect(inside - out).toBeLessThan(100_000);
      expect(stream.end().length).toBeLessThan(200_000);
      if (begin !== '') expect(out).toBeLessThan(100);
    }
  });

  it('goes on after a key that is longer than what it holds', () => {
    const out = streamed(
      cut(
        `before\n-----BEGIN PRIVATE KEY-----\n${`${body}\n`.repeat(5000)}-----END PRIVATE KEY-----\nafter\n`,
        [5000],
      ),
    );
    expect(out).not.toContain(body.slice(0, 20));
    expect(out.startsWith('before\n[redacted:private-key]')).toBe(true);
    expect(out.endsWith('after\n')).toBe(true);
  });
});
