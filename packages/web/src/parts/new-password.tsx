import { PasswordInput } from '@mantine/core'
import { format } from '../texts/format.ts'
import { passwords } from '../texts/sign-in.ts'

/** Two inputs for a new password. Pass `problems` only after an attempt to submit. */
export function NewPasswordFields({
  value,
  onChange,
  problems,
}: {
  value: PasswordTwice
  onChange: (value: PasswordTwice) => void
  problems: Partial<PasswordTwice>
}) {
  return (
    <>
      <PasswordInput
        label={passwords.new}
        description={format(passwords.hint, { least: MIN_PASSWORD_LENGTH })}
        value={value.password}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
        error={problems.password}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <PasswordInput
        label={passwords.again}
        value={value.again}
        onChange={(event) => onChange({ ...value, again: event.currentTarget.value })}
        error={problems.again}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
    </>
  )
}

const MIN_PASSWORD_LENGTH = 12

export interface PasswordTwice {
  password: string
  again: string
}

/** Returns what is wrong with a new password, by field. */
export function passwordProblems({ password, again }: PasswordTwice): Partial<PasswordTwice> {
  const length = Array.from(password).length
  if (length < MIN_PASSWORD_LENGTH)
    return { password: format(passwords.tooShort, { least: MIN_PASSWORD_LENGTH, now: length }) }
  return password === again ? {} : { again: passwords.different }
}
