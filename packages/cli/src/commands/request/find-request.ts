import type { Client } from '@plantroom/client/client'
import type { SiteIds } from '../../clients.ts'
import { UsageError } from '../../command.ts'
import { printable } from '../../output.ts'

const NUMBER = /^#?([1-9]\d{0,9})$/
/** A search also finds texts that only contain the id. */
const MOST_SEARCHED = 1000

/** Returns the number of a request that was given by number or by its external id. */
export async function numberOf(client: Pick<Client, 'listRequests'>, site: SiteIds, given: string): Promise<number> {
  const number = NUMBER.exec(given)?.[1]
  if (number !== undefined) return Number(number)
  const { tickets } = await client.listRequests({ ...site, query: { q: given, limit: MOST_SEARCHED } })
  const found = tickets.find(({ externalId }) => externalId === given)
  if (found) return found.number
  throw new UsageError(`there is no request ${printable(given)}: give its number, or its whole external id`)
}
