import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playDrill } from '../../src/drills/play-drill.ts';
import { readScenario } from '../../src/drills/scenario.ts';

const FOLDER = resolve(import.meta.dirname, '../../drills');

describe.concurrent('every bundled drill ends as it says', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'))) {
    it(name, async () => {
      const { why } = await playDrill(readScenario(join(FOLDER, name)), { env: process.env });
      expect(why).toBe('');
    }, 240_000);
  }
});
