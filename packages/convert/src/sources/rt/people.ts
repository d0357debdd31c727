import type { Fields } from '../../json/fields.ts'
import { isAddress } from '../../parts/people.ts'
import type { SourcePerson } from '../../source.ts'

/** The users of an RT, by name and by number. */
export interface Users {
  add(user: Fields): void
  /** The person behind a name, which is often an email address. Undefined for the owner of tickets that nobody owns. */
  person(name: string | undefined): SourcePerson | undefined
  /** The name behind a number, as histories mention people. */
  nameOfNumber(number: string): string | undefined
}

const NOBODY = 'Nobody'

export function createUsers(): Users {
  const people = new Map<string, SourcePerson>()
  const names = new Map<string, string>()
  return {
    add(user) {
      const name = user.text('Name') ?? user.text('id') ?? ''
      const email = user.text('EmailAddress')?.trim()
      const phone = user.text('MobilePhone') ?? user.text('WorkPhone') ?? user.text('HomePhone')
      people.set(name, {
        name: user.text('RealName') ?? name,
        email: email !== undefined && isAddress(email) ? email : undefined,
        phone,
      })
      names.set(user.text('id') ?? '', user.text('RealName') ?? name)
    },
    person(name) {
      if (name === undefined || name === NOBODY) return undefined
      return people.get(name) ?? (isAddress(name) ? { email: name } : { name })
    },
    nameOfNumber: (number) => names.get(number),
  }
}
