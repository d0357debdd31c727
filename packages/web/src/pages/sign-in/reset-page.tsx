import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSetUp } from '../../api/use-set-up.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { resetPassword as texts } from '../../texts/sign-in.ts'

/** Asks for a mail with a link to set a new password. */
export function ResetPage() {
  const setUp = useSetUp()
  return (
    <FrontDoor title={texts.title}>
      <QueryView query={setUp}>
        {({ resetByMail }) => (resetByMail ? <ResetForm /> : <Alert color="yellow">{texts.noMail}</Alert>)}
      </QueryView>
      <Link to="/sign-in">{texts.toSignIn}</Link>
    </FrontDoor>
  )
}

function ResetForm() {
  const [email, setEmail] = useState('')
  const reset = useChange('resetPassword')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!reset.isPending) reset.mutate({ body: { email: email.trim() } })
  }
  if (reset.isSuccess) {
    return (
      <Alert color="green" role="status">
        {texts.sent}
      </Alert>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.email}
          description={texts.hint}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
        />
        {reset.error && <ErrorNotice error={reset.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={reset.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
