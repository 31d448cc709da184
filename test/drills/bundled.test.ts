import { describe, it } from 'vitest';
import { readPage } from '../docs/pages.ts';
import { sampled } from '../lane.ts';
import { BUNDLED, playBundled } from './play-bundled.ts';

/** Each promise in the README's table names its drill: of these, more are drawn. */
const README = readPage('README.md');
const isPromised = (name: string) => README.includes(`drills/${name}`);
const PLAYED = [
  ...sampled(BUNDLED.filter(isPromised), 6),
  ...sampled(
    BUNDLED.filter((name) => !isPromised(name)),
    2,
  ),
];

describe.concurrent('every bundled drill ends as it says, and its journal decides the same again', () => {
  for (const name of PLAYED) it(name, () => playBundled(name), 240_000);
});
