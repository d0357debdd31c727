import { ApiError, type Method, type Send } from '@plantroom/client/http'

/** Requests that wait until the person has proved again who they are. One dialog serves all of them. */
export interface FreshCheck {
  /** Resolves with true once the person has proved it, and with false when they cancel. */
  ask(): Promise<boolean>
  isAsking(): boolean
  finish(isProved: boolean): void
  /** Calls back when `isAsking` changes; the returned function stops it. */
  subscribe(onChange: () => void): () => void
}

export function createFreshCheck(): FreshCheck {
  const listeners = new Set<() => void>()
  let waiting: ((isProved: boolean) => void)[] = []
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return {
    ask: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        changed()
      }),
    isAsking: () => waiting.length > 0,
    finish(isProved) {
      const done = waiting
      waiting = []
      changed()
      for (const resolve of done) resolve(isProved)
    },
    subscribe(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
  }
}

/** Sends a request again after the person has proved who they are, if the service asks for that. */
export function repeatAfterCheck(send: Send, check: Pick<FreshCheck, 'ask'>): Send {
  return async <Reply>(method: Method, path: string, body?: object) => {
    try {
      return await send<Reply>(method, path, body)
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'RECENT_SIGN_IN_REQUIRED'
      if (!isStale || !(await check.ask())) throw error
      return send<Reply>(method, path, body)
    }
  }
}
