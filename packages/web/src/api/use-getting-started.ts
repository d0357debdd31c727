import type { OperationReply } from '@plantroom/client/client'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { remember, useChange, useOperation } from './use-operation.ts'

/** The first steps of an organization, and a way to hide or show them. */
export interface GettingStarted extends OperationReply<'getGettingStarted'> {
  orgId: string
  setDismissed(isDismissed: boolean): Promise<unknown>
}

/** Loads the first steps of an organization for its administrators; `undefined` for others and until they are known. */
export function useGettingStarted({ id: orgId, isAdmin }: SignedInOrganization): GettingStarted | undefined {
  const { data } = useOperation(
    'getGettingStarted',
    { orgId },
    {
      enabled: isAdmin,
      // The steps tick while a person does them elsewhere.
      refetchInterval: ({ state }) => (state.data && isShown(state.data) ? 10_000 : false),
    },
  )
  const { mutateAsync } = useChange('dismissGettingStarted', {
    onSuccess: (saved) => remember('getGettingStarted', { orgId }, saved),
  })
  const setDismissed = (dismissed: boolean) => mutateAsync({ orgId, body: { dismissed } })
  return data && isAdmin ? { ...data, orgId, setDismissed } : undefined
}

/** True while something is left to do and the person wants to see it. */
export const isShown = ({ steps, dismissed }: Pick<GettingStarted, 'steps' | 'dismissed'>) =>
  !dismissed && !Object.values(steps).every(Boolean)
