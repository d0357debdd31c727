import { PasswordInput } from '@mantine/core'
import { passwords } from '../texts/sign-in.ts'
import { LEAST_PASSWORD_LENGTH, type PasswordTwice } from './new-password.ts'

/** A new password, twice, with what it must be said before it is typed. `problems` are shown once someone tried to send it. */
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
        description={passwords.hint(LEAST_PASSWORD_LENGTH)}
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
