/** name.json: what people call the reader. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { NameAndDescription } from '../api/name-and-description.js';
import { assertValid } from '../api/validate.js';

export class DescriptionStore {
  readonly #file: StateFile<NameAndDescription>;
  #set: NameAndDescription | undefined;

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'name.json'), (value) => {
      assertValid(NameAndDescription, value);
      return value as NameAndDescription;
    });
  }

  async load(): Promise<void> {
    this.#set = await this.#file.load();
  }

  /** undefined: it was never told. */
  get present(): NameAndDescription | undefined {
    return this.#set;
  }

  async save({ name, description }: NameAndDescription): Promise<void> {
    const next = { name, description };
    await this.#file.save(next);
    this.#set = next;
  }

  /** As if it had never been told. */
  async clear(): Promise<void> {
    await this.#file.remove();
    this.#set = undefined;
  }
}
