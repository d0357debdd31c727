import type { SourcePerson } from '../source.ts'
import { isAddress } from './people.ts'

/** Finds addresses by name. A name that two people share finds neither: a wrong address would send one's mail to the other. */
export interface NameBook {
  learn(name: string | undefined, email: string | undefined): void
  /** Adds the address of a person whose name is known. A name that is an address becomes one. */
  complete(person: SourcePerson): SourcePerson
}

export function createNameBook(): NameBook {
  /** `null`: several people have that name. */
  const addresses = new Map<string, string | null>()
  return {
    learn(name, email) {
      if (name === undefined || email === undefined || keyOf(name) === '') return
      const known = addresses.get(keyOf(name))
      addresses.set(keyOf(name), known === undefined || known === email ? email : null)
    },
    complete(person) {
      const { name, email } = person
      if (email !== undefined || name === undefined) return person
      if (isAddress(name)) return { ...person, name: undefined, email: name }
      return { ...person, email: addresses.get(keyOf(name)) ?? undefined }
    },
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
