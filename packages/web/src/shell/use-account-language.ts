import type { SignedIn } from '@plantroom/contract/roles'
import { useEffect, useEffectEvent } from 'react'
import { browserStorage } from '../browser-storage.ts'
import { keepForAccount } from '../texts/choice/kept-choice.ts'

/**
 * Shows the console in the language of the account: loads the page again if it is in another one. This happens when
 * someone signs in and when a page starts, never later: a person may be typing.
 */
export function useAccountLanguage(signedIn: SignedIn | null | undefined): void {
  const userId = signedIn?.user.id
  const apply = useEffectEvent(() => {
    if (signedIn && keepForAccount(browserStorage(), signedIn.user)) window.location.reload()
  })
  useEffect(() => {
    if (userId !== undefined) apply()
  }, [userId])
}
