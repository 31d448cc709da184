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

const share = Number(process.env['MAYDAY_MUTATION_SHARE'] ?? 1);
const seed = process.env['MAYDAY_MUTATION_SEED'] ?? '1';

function isDrawn({ fileName, mutatorName, replacement, location }: Change): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/src/'));
  const digest = createHash('sha256').update(
    JSON.stringify([seed, file, mutatorName, replacement, location]),
  );
  return digest.digest().readUInt32BE() / 2 ** 32 < share;
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
