import { ApiError } from '@plantroom/client/http'
import type { SecondFactorNeeded, SignInAnswer } from '@plantroom/contract/api'
import type { SignedIn } from '@plantroom/contract/roles'
import { useMutation, useQuery } from '@tanstack/react-query'
import { browserStorage } from '../browser-storage.ts'
import { forgetEarlyReads } from './fetch-in-time.ts'
import { createLastState } from './last-state.ts'
import { queries } from './queries.ts'
import { api } from './service.ts'
import { unsavedWork } from './unsaved-work.ts'

const KEY = ['getSession', {}] as const

/** What the overview of a site showed last in this browser. */
export const lastState = createLastState(queries, {
  storage: browserStorage(),
  version: import.meta.url,
  now: () => Date.now(),
})
window.addEventListener('pagehide', lastState.save)

/** True from the click on *Sign out* until its answer. */
let isLeaving = false
let isEnded = false
/** Reports whether nobody is signed in although somebody was and did not sign out here. */
export const hasSessionEnded = (): boolean => isEnded

/** Loads the signed-in person; `null` when nobody is. */
export function useSession() {
  return useQuery({ queryKey: KEY, queryFn: loadSession, staleTime: 60_000 })
}

async function loadSession(): Promise<SignedIn | null> {
  const before = queries.getQueryData<SignedIn | null>(KEY)
  try {
    const signedIn = await api.getSession()
    // Another tab may have signed in as another person.
    if (before && before.user.id !== signedIn.user.id) removeOthers()
    begin(signedIn)
    return signedIn
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    // A person who has signed out here since knows why.
    isEnded ||= !isLeaving && (Boolean(queries.getQueryData(KEY)) || lastState.account() !== undefined)
    lastState.forget('ended')
    return null
  }
}

function begin({ user }: SignedIn): void {
  isEnded = false
  lastState.restore(user.id)
  unsavedWork.begin(user.id)
}

const removeOthers = () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })

/** Updates the session in place: observers would miss a query that replaces it. Clears all other data. */
function setSession(signedIn: SignedIn | null): void {
  forgetEarlyReads()
  queries.setQueryData(KEY, signedIn)
  removeOthers()
  if (signedIn) {
    begin(signedIn)
  } else {
    isEnded = false
    lastState.forget()
    unsavedWork.forget()
  }
}

/**
 * Runs a request that signs someone in, and clears the data of anyone before. When a second factor is missing, nobody is
 * signed in yet.
 */
export function useSignIn<Variables>(signIn: (variables: Variables) => Promise<SignInAnswer>) {
  return useMutation({
    mutationFn: signIn,
    meta: { signsIn: true },
    onSuccess: (answer) => {
      if ('user' in answer) setSession(answer)
    },
  })
}

/** Returns what is missing to sign in; `undefined` when nothing is. */
export function secondFactorOf(answer: SignInAnswer | undefined): SecondFactorNeeded['secondFactor'] | undefined {
  return answer && 'secondFactor' in answer ? answer.secondFactor : undefined
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => api.signOut(),
    onMutate: () => {
      isLeaving = true
      // The page may be closed before the answer: nothing of the account stays behind.
      lastState.forget()
    },
    onSuccess: () => setSession(null),
    onSettled: () => {
      isLeaving = false
    },
  })
}
