import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { normalisedCause } from '../../../src/core/diagnose/fingerprint.ts';

function print(output: string): string {
  return diagnose({ output, exitCode: 1 }).fingerprint;
}

describe('a fingerprint', () => {
  it('is the same for another checkout, line, time and id', () => {
    const a = print(
      "[2026-11-15T01:02:03Z] request req_011CX4ZtQk5J8 failed\nTypeError: Cannot read properties of undefined (reading 'id')\n    at f (/home/a/src/x.js:10:3)\n",
    );
    const b = print(
      "[2026-12-01T09:10:11Z] request req_9zzzzzzzzzzzz failed\nTypeError: Cannot read properties of undefined (reading 'id')\n    at f (/srv/b/src/x.js:99:7)\n",
    );
    expect(a).toBe(b);
  });
  it('is the same for a file in another folder', () => {
    expect(print("Error: EACCES: permission denied, open '/home/a/w1/out.json'\n")).toBe(
      print("Error: EACCES: permission denied, open '/srv/k7f2/out.json'\n"),
    );
  });
  it('differs between causes', () => {
    const all = [
      "ModuleNotFoundError: No module named 'fastapi'",
      "ModuleNotFoundError: No module named 'flask'",
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'Error: connect ECONNREFUSED 127.0.0.1:6379',
      'CONFLICT (content): Merge conflict in a.py',
      'CONFLICT (content): Merge conflict in b.py',
      'AssertionError: expected 5 to be 6',
    ].map(print);
    expect(new Set(all).size).toBe(all.length);
  });
  it('forgets ports that the kernel hands out, keeps those a person chose', () => {
    expect(normalisedCause('connect ECONNREFUSED 127.0.0.1:45123')).toBe(
      normalisedCause('connect ECONNREFUSED 127.0.0.1:51999'),
    );
    expect(normalisedCause('connect ECONNREFUSED 127.0.0.1:5432')).not.toBe(
      normalisedCause('connect ECONNREFUSED 127.0.0.1:6379'),
    );
  });
});
