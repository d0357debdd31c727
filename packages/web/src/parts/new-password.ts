import { passwords } from '../texts/sign-in.ts'

export const LEAST_PASSWORD_LENGTH = 12

export interface PasswordTwice {
  password: string
  again: string
}

/** What is wrong with a password that was typed twice, beside the field that it is about. */
export function passwordProblems({ password, again }: PasswordTwice): Partial<PasswordTwice> {
  const length = Array.from(password).length
  if (length < LEAST_PASSWORD_LENGTH) return { password: passwords.tooShort(LEAST_PASSWORD_LENGTH, length) }
  return password === again ? {} : { again: passwords.different }
}
