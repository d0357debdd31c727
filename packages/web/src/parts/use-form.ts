import type { OperationName } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import type { Route } from '@plantroom/contract/route'
import { type FormEvent, useEffect, useState } from 'react'
import { describeError } from './describe-error.ts'

type NameOf<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values] & string

/** What a form sends. */
export interface Sending {
  /** The operation whose body has the limits of the fields. */
  operation?: OperationName
  isPending: boolean
  error: Error | null
}

export type Form<Values extends object> = ReturnType<typeof useForm<Values>>

/**
 * The state of a form: what is filled in, the problems of each field after the first try, and the problem that the
 * service found with a field. Texts are checked and sent without spaces around them. Without `problemsOf`, the browser
 * checks the fields.
 */
export function useForm<Values extends object>(
  sending: Sending,
  initial: Values | (() => Values),
  problemsOf?: (values: Values) => { [Name in keyof Values]?: string | false | undefined },
) {
  const [values, setValues] = useState(initial)
  const [isTried, setIsTried] = useState(false)
  const limits = useLimits(sending.operation)
  const trimmed = trimmedTexts(values)
  const problems = problemsOf?.(trimmed) ?? {}
  const refused = sending.error instanceof ApiError ? sending.error.field : undefined
  const set = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }))
  const errorOf = (name: keyof Values & string) =>
    (isTried && problems[name as keyof typeof problems]) ||
    (refused === name && sending.error !== null && describeError(sending.error))

  return {
    values,
    set,
    errorOf,
    /** True once someone tried to send it: problems are shown. */
    isTried,
    /** Starts again, for example after it was sent. */
    reset() {
      setValues(initial)
      setIsTried(false)
    },
    isNative: problemsOf === undefined,
    isPending: sending.isPending,
    /** The error that is not about one field. */
    error: refused !== undefined && refused in values ? null : sending.error,
    /** The properties of a text field. */
    text: <Name extends NameOf<Values, string>>(name: Name) => ({
      value: values[name] as string,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        set({ [name]: currentTarget.value } as Partial<Values>),
      error: errorOf(name),
      maxLength: limits[name],
    }),
    /** The properties of a field whose change is a value. */
    choice: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
      error: errorOf(name),
    }),
    /** The properties of a checkbox. */
    check: <Name extends NameOf<Values, boolean>>(name: Name) => ({
      checked: values[name] as boolean,
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) =>
        set({ [name]: currentTarget.checked } as Partial<Values>),
    }),
    /** Sends the form once it has no problems. */
    submit: (send: (values: Values) => unknown) => (event: FormEvent) => {
      event.preventDefault()
      // A form in a dialog is inside the form that opened it, as far as React's events are concerned.
      event.stopPropagation()
      setIsTried(true)
      if (!sending.isPending && !Object.values(problems).some(Boolean)) send(trimmed)
    },
  }
}

function trimmedTexts<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ])
  return Object.fromEntries(entries) as Values
}

/** Loads the longest text of each field from the contract. A form need not wait for them: the service checks, too. */
function useLimits(operation: OperationName | undefined): Readonly<Record<string, number | undefined>> {
  const [limits, setLimits] = useState<Record<string, number | undefined>>({})
  useEffect(() => {
    if (operation === undefined) return
    const load = async () => {
      const { API } = await import('@plantroom/contract/api')
      const { body }: Route = API[operation]
      const longest = Object.entries(body?.properties ?? {}).map(([name, { maxLength }]) => [name, maxLength])
      setLimits(Object.fromEntries(longest))
    }
    // Offline, the form works without.
    load().catch(() => {})
  }, [operation])
  return limits
}
