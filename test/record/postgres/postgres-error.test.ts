import { describe, expect, it } from 'vitest';
import { RecordUnavailable } from '../../../src/record/contract/record-unavailable.ts';
import { isLost, postgresError } from '../../../src/record/postgres/postgres-error.ts';

const withCode = (code: string) => Object.assign(new Error('said so'), { code });

describe('the way to the server is lost', () => {
  it.each([
    ['the server stops', '57P01'],
    ['a host that was away in the middle of a transaction', '25P03'],
    ['a statement that took too long', '57014'],
    ['a connection that was reset', 'ECONNRESET'],
    ['a stream that was destroyed', 'ERR_STREAM_DESTROYED'],
  ])('%s (%s)', (_what, code) => expect(isLost(withCode(code))).toBe(true));

  it.each([
    ['a row that is there already', '23505'],
    ['a statement that is wrong', '42601'],
    ['a wrong argument', 'ERR_INVALID_ARG_TYPE'],
  ])('not: %s (%s)', (_what, code) => expect(isLost(withCode(code))).toBe(false));

  it('not: an error of ours without a code', () =>
    expect(isLost(new TypeError('x is no number'))).toBe(false));
});

it('a lock that others keep is no error of the program: the keeper waits and tries again', () =>
  expect(postgresError(withCode('55P03'), 'postgres://db')).toBeInstanceOf(RecordUnavailable));
