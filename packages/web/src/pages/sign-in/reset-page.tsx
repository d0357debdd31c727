import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useChange } from '../../api/use-operation.ts'
import { useSetUp } from '../../api/use-set-up.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { useForm } from '../../parts/use-form.ts'
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
  const reset = useChange('resetPassword')
  const form = useForm(reset, { email: '' })
  if (reset.isSuccess) {
    return (
      <Alert color="green" role="status">
        {texts.sent}
      </Alert>
    )
  }
  return (
    <form onSubmit={form.submit((body) => reset.mutate({ body }))}>
      <Stack>
        <TextInput
          label={texts.email}
          description={texts.hint}
          {...form.text('email')}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
        />
        {form.error && <ErrorNotice error={form.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={reset.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
