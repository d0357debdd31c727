import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { Link as Route } from 'wouter'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm, FormEnd, Modal } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { views as texts } from '../../texts/requests.ts'
import { type RequestFilters, writeFilters } from './request-filters.ts'
import { currentView, type View, viewsOf } from './request-views.ts'
import classes from './requests.module.css'
import { useSavedViews } from './use-request-list.ts'

/** The views of the list as links, and buttons to save or remove one. */
export function ViewTabs({ filters }: { filters: RequestFilters }) {
  const { path, may } = useSite()
  const saved = useSavedViews()
  const all = viewsOf(saved.data ?? [])
  const current = currentView(all, filters)
  const [dialog, setDialog] = useState<'save' | 'remove'>()
  const close = () => setDialog(undefined)
  const mayRemove = current?.saved === 'own' || (current?.saved === 'shared' && may('manager'))
  return (
    <Group gap="xs" mb="sm" align="center" className={classes.screenOnly}>
      <nav aria-label={texts.label} className={classes.views}>
        {all.map((view) => (
          <Button
            key={view.id}
            component={Route}
            href={path(view.query ? `/requests?${view.query}` : '/requests')}
            size="compact-sm"
            variant={view.id === current?.id ? 'filled' : 'default'}
            aria-current={view.id === current?.id ? 'page' : undefined}
            className={classes.view}
          >
            {view.name}
          </Button>
        ))}
      </nav>
      {!current && saved.data && (
        <Button size="compact-sm" variant="subtle" onClick={() => setDialog('save')}>
          {texts.save}
        </Button>
      )}
      {current && mayRemove && (
        <Button size="compact-sm" variant="subtle" onClick={() => setDialog('remove')}>
          {texts.remove}
        </Button>
      )}
      <Modal opened={dialog === 'save'} onClose={close} title={texts.saveTitle} centered>
        <SaveForm query={String(writeFilters(filters))} onClose={close} />
      </Modal>
      {current && mayRemove && <RemoveView view={current} opened={dialog === 'remove'} onClose={close} />}
    </Group>
  )
}

function SaveForm({ query, onClose }: { query: string; onClose: () => void }) {
  const { may } = useSite()
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const [shared, setShared] = useState(false)
  const isBlank = name.trim() === ''
  const save = useChange('addRequestView', {
    onFresh() {
      notifications.show({ message: format(texts.saved, { name: name.trim() }), color: 'green' })
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!isBlank && !save.isPending) save.mutate({ body: { name: name.trim(), query, shared } })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{texts.saveHint}</Text>
        <TextInput
          label={texts.name}
          value={name}
          maxLength={100}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={isTried && isBlank && texts.blankName}
          data-autofocus
        />
        {may('manager') && (
          <Checkbox
            label={texts.share}
            checked={shared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        )}
        <FormEnd mutation={save} action={texts.save} onCancel={onClose} failed={texts.notSaved} />
      </Stack>
    </form>
  )
}

function RemoveView({ view, opened, onClose }: { view: View; opened: boolean; onClose: () => void }) {
  const remove = useChange('removeRequestView', {
    onSuccess() {
      notifications.show({ message: format(texts.removed, { name: view.name }), color: 'green' })
      onClose()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={format(texts.removeTitle, { name: view.name })}
      action={texts.remove}
      mutation={remove}
      onConfirm={() => remove.mutate({ viewId: view.id })}
    >
      <Text>{view.saved === 'shared' ? texts.removeShared : texts.removeOwn}</Text>
    </Confirm>
  )
}
