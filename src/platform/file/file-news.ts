/** `FileNews`: waits for a write to a file, or to the files beside it whose names begin like its own, without looking again and again. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export class FileNews {
  readonly #watcher: FSWatcher | null;
  #isLive: boolean;
  #hasNews = false;
  #wake: (() => void) | null = null;

  constructor(path: string) {
    const name = basename(path);
    const heard = (_event: string, file: string | null): void => {
      if (file?.startsWith(name) === false) return;
      this.#hasNews = true;
      this.#wake?.();
    };
    this.#watcher = watchFolder(dirname(path), heard);
    this.#isLive = this.#watcher !== null;
    this.#watcher?.on('error', () => {
      this.#isLive = false;
      this.#wake?.();
    });
  }

  /** False: nothing will be told, so that the caller must look by itself. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Waits for the next write since the last call, at most this long. True: there was one. */
  async next(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasNews && !signal.aborted)
      await new Promise<void>((settle) => {
        const timer = setTimeout(settle, ms);
        this.#wake = () => {
          clearTimeout(timer);
          settle();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      });
    if (this.#wake !== null) signal.removeEventListener('abort', this.#wake);
    this.#wake = null;
    const hadNews = this.#hasNews;
    this.#hasNews = false;
    return hadNews;
  }

  close(): void {
    this.#watcher?.close();
  }
}

function watchFolder(folder: string, heard: (event: string, file: string | null) => void): FSWatcher | null {
  // Elsewhere a folder does not tell that a file in it was written.
  if (process.platform !== 'linux') return null;
  try {
    return watch(folder, { persistent: false }, heard);
  } catch {
    // The kernel allows a user only so many watches. A worker that waits looks by itself then.
    return null;
  }
}
