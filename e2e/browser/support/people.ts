import { randomBytes } from 'node:crypto'
import { createClient } from '@plantroom/client/client'
import { createSend, sendWithToken } from '@plantroom/client/http'
import type { Role } from '@plantroom/contract/roles'
import type { DemoJson } from '../../support/demo.ts'

export interface Person {
  email: string
  password: string
}

/** Adds a member with a role on the demo's site (or in its organization for admins) and sets their password. */
export async function addPerson(demo: DemoJson, role: Role): Promise<Person> {
  const { baseUrl, adminToken, orgId, propertyId: siteId } = demo
  const person = {
    email: `${role}-${randomBytes(4).toString('hex')}@example.com`,
    password: randomBytes(12).toString('hex'),
  }
  const operator = createClient(sendWithToken(baseUrl, adminToken))
  const roles = role === 'admin' ? { role } : { sites: [{ siteId, role }] }
  const { link } = await operator.addMember({ orgId, body: { email: person.email, ...roles } })
  if (link === null) throw new Error(`${person.email} was not invited`)
  const invited = createClient(createSend(baseUrl, { origin: baseUrl }))
  await invited.acceptInvitation({ body: { token: new URL(link).hash.slice(1), password: person.password } })
  return person
}
