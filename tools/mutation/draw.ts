/**
 * `strykerPlugins`: a checker for Stryker that lets a share of the changes through, drawn by a seed; the others count as not measured.
 * A change is drawn by what it is, not by its number: the same seed draws the same changes after a test was added.
 */
import { createHash } from 'node:crypto';

interface Change {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: object;
}

/** The same answer for the same change, wherever the file lies. */
export function isDrawn({ fileName, mutatorName, replacement, location }: Omit<Change, 'id'>): boolean {
  const { MAYDAY_MUTATION_SHARE: share = '1', MAYDAY_MUTATION_SEED: seed = '1' } = process.env;
  const file = fileName.slice(fileName.lastIndexOf('/src/'));
  const digest = createHash('sha256').update(
    JSON.stringify([seed, file, mutatorName, replacement, location]),
  );
  return digest.digest().readUInt32BE() / 2 ** 32 < Number(share);
}

class Draw {
  async init(): Promise<void> {}

  /** All at once: nothing has to be compiled. */
  async group(changes: readonly Change[]): Promise<string[][]> {
    return [changes.map(({ id }) => id)];
  }

  async check(changes: readonly Change[]): Promise<Record<string, object>> {
    const answers = changes.map((change) => [
      change.id,
      isDrawn(change) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' },
    ]);
    return Object.fromEntries(answers) as Record<string, object>;
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'draw', injectableClass: Draw }];
