import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { Proof, VerifyMethod } from '@plantroom/contract/api'
import { type FormEvent, type ReactNode, useState } from 'react'
import { proof as texts } from '../texts/factors.ts'
import { ErrorNotice } from './notices.tsx'
import { hasPasskeys, signWithPasskey } from './passkey-browser.ts'

/** What the service asks a person for. */
export interface ProofQuestion {
  methods: readonly VerifyMethod[]
  passkey?: Readonly<Record<string, unknown>> | undefined
}

type Prove = (send: () => Promise<Proof>) => void

/** Asks for one proof of who the person is, and offers the others. */
export function ProofForm({
  question,
  action,
  failed,
  mutation,
  onProve,
  end,
}: {
  question: ProofQuestion
  action: string
  failed: string
  mutation: { isPending: boolean; error: Error | null }
  /** Gets a function, because a passkey first asks the person. */
  onProve: Prove
  end?: ReactNode
}) {
  const methods = question.methods.filter((method) => method !== 'passkey' || hasPasskeys())
  const [chosen, setChosen] = useState<VerifyMethod>()
  const method = chosen ?? methods[0]
  if (method === undefined) return <Text>{texts.none}</Text>
  return (
    <Stack>
      {mutation.error && <ErrorNotice error={mutation.error} title={failed} />}
      {method === 'passkey' ? (
        <Button
          size="md"
          fullWidth
          loading={mutation.isPending}
          onClick={() => onProve(async () => ({ passkey: await signWithPasskey(question.passkey ?? {}) }))}
        >
          {texts.passkey}
        </Button>
      ) : (
        <TypedProof key={method} method={method} action={action} isPending={mutation.isPending} onProve={onProve} />
      )}
      <Stack gap={4} align="flex-start">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Anchor key={other} component="button" type="button" size="sm" onClick={() => setChosen(other)}>
              {texts.instead[other]}
            </Anchor>
          ))}
        {end}
      </Stack>
    </Stack>
  )
}

const FIELDS = {
  totp: { label: texts.code, description: texts.codeHint, autoComplete: 'one-time-code', inputMode: 'numeric' },
  'recovery-code': { label: texts.recoveryCode, description: texts.recoveryCodeHint, autoComplete: 'off' },
} as const

function TypedProof({
  method,
  action,
  isPending,
  onProve,
}: {
  method: Exclude<VerifyMethod, 'passkey'>
  action: string
  isPending: boolean
  onProve: Prove
}) {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog is inside the form that opened it, as far as React's events are concerned.
    event.stopPropagation()
    if (isPending) return
    onProve(async () => {
      if (method === 'password') return { password: typed }
      return method === 'totp' ? { code: typed } : { recoveryCode: typed }
    })
  }
  const shared = {
    value: typed,
    onChange: (event: { currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value),
    required: true,
    withAsterisk: false,
    autoFocus: true,
    'data-autofocus': true,
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {method === 'password' ? (
          <PasswordInput label={texts.password} autoComplete="current-password" {...shared} />
        ) : (
          <TextInput {...FIELDS[method]} {...shared} />
        )}
        <Button type="submit" size="md" fullWidth loading={isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}
