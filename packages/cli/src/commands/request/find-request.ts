import type { Client } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import type { SiteIds } from '../../clients.ts'
import { UsageError } from '../../command.ts'
import { printable } from '../../output.ts'

const NUMBER = /^#?([1-9]\d{0,9})$/
const PAGE = 1000

/** Returns the number of a request that was given by number or by its external id. */
export async function numberOf(client: Pick<Client, 'listRequests'>, site: SiteIds, given: string): Promise<number> {
  const number = NUMBER.exec(given)?.[1]
  if (number !== undefined) return Number(number)
  // A search also finds texts that only contain the id.
  const pageOf = (cursor: string | undefined) =>
    client.listRequests({ ...site, query: { q: given, limit: PAGE, cursor } })
  for await (const { tickets } of pages(pageOf)) {
    const found = tickets.find(({ externalId }) => externalId === given)
    if (found) return found.number
  }
  throw new UsageError(`there is no request ${printable(given)}: give its number, or its whole external id`)
}
