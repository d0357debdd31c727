import { Alert, Button, FileInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { requestForm as texts } from '../../texts/people.ts'
import { smallerPhoto } from './smaller-photo.ts'

const NEVER = { staleTime: Number.POSITIVE_INFINITY, refetchInterval: false } as const

/** The form that a printed code leads to, for people without an account. */
export function RequestFormPage({ token }: { token: string }) {
  const form = useOperation('getRequestForm', { token }, NEVER)
  const [sent, setSent] = useState<number>()
  return (
    <FrontDoor help={null} title={texts.title} lead={form.data && format(texts.about, form.data)}>
      <QueryView query={form}>
        {() =>
          sent === undefined ? (
            <RequestForm token={token} onSent={setSent} />
          ) : (
            <Stack>
              <Alert color="green" role="status" title={format(texts.sent, { number: sent })}>
                {texts.sentHint}
              </Alert>
              <Button variant="default" onClick={() => setSent(undefined)}>
                {texts.another}
              </Button>
            </Stack>
          )
        }
      </QueryView>
    </FrontDoor>
  )
}

function RequestForm({ token, onSent }: { token: string; onSent: (number: number) => void }) {
  const [photo, setPhoto] = useState<File | null>(null)
  const [isUnreadable, setIsUnreadable] = useState(false)
  const send = useChange('sendRequestForm', { onSuccess: ({ number }) => onSent(number) })
  const form = useForm(send, { description: '', name: '', email: '' }, ({ description, email }) => ({
    description: description === '' && texts.blank,
    email: email !== '' && !/^[^@\s]+@[^@\s]+$/.test(email) && texts.badEmail,
  }))

  async function submit({ description, name, email }: typeof form.values) {
    const encoded = photo && (await smallerPhoto(photo).catch(() => undefined))
    setIsUnreadable(photo !== null && !encoded)
    if (photo !== null && !encoded) return
    const body = { description, name: name || null, email: email || null, ...(encoded && { photo: encoded }) }
    send.mutate({ token, body })
  }

  return (
    <form onSubmit={form.submit(submit)} noValidate>
      <Stack>
        <Textarea label={texts.description} {...form.text('description')} autosize minRows={3} maxRows={12} autoFocus />
        <FileInput
          label={texts.photo}
          description={texts.photoHint}
          placeholder={texts.choosePhoto}
          accept="image/*"
          value={photo}
          onChange={setPhoto}
          error={isUnreadable && texts.notPhoto}
          clearable
        />
        <TextInput label={texts.name} {...form.text('name')} autoComplete="name" />
        <TextInput
          label={texts.email}
          description={texts.emailHint}
          {...form.text('email')}
          type="email"
          autoComplete="email"
        />
        {form.error && <ErrorNotice error={form.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          {texts.send}
        </Button>
      </Stack>
    </form>
  )
}
