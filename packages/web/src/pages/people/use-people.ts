import type { OperationReply } from '@plantroom/client/client'
import { useAll } from '../../api/use-all.ts'
import { invalidate } from '../../api/use-operation.ts'

const PAGE = 1000

export type Unit = OperationReply<'listUnits'>['units'][number]

/** Loads all units of the site, by name. */
export function useUnits() {
  return useAll('listUnits', { query: { limit: PAGE } }, ({ units }) => units)
}

/** Loads all people of the site, by address. */
export function usePeople() {
  return useAll('listPeople', { query: { limit: PAGE } }, ({ people }) => people)
}

/** Requests show the names of people and units. */
export const refreshRequests = () => void invalidate('listRequests')
