import { listed } from '../../../parts/value.ts'
import { findText, format } from '../../../texts/format.ts'
import { missing as texts } from '../../../texts/missing.ts'

/** Returns an address with the roles that the package gives to it. */
export function describePerson(email: string, roles: readonly string[]): string {
  const named = roles.map((role) => findText(texts.roles, role) ?? role)
  return named.length > 0 ? format(texts.person, { email, roles: listed(named) }) : email
}
