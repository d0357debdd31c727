import { Alert, Button, Code, FocusTrap, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ClipboardEvent, createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { common, shownOnce as texts } from '../texts/common.ts'
import { copyText } from './copy-text.ts'
import { Modal } from './dialogs.tsx'

/** Is told about every copied text. */
const Copied = createContext<(text: string) => void>(() => {})

/**
 * Shows a secret once. Until it is copied, or the person says that they have stored it, closing asks first: Escape, Back
 * and the close button do not lose it.
 */
export function ShownOnce({
  title,
  done,
  secret,
  onClose,
  children,
}: {
  title: string
  /** The label of the button with which the person says that they have stored it. */
  done: string
  /** What would be lost; nothing when there is nothing to store. */
  secret: string | undefined
  onClose: () => void
  children: ReactNode
}) {
  const [isCopied, setIsCopied] = useState(secret === undefined)
  const [isAsking, setIsAsking] = useState(false)
  const note = (text: string) => {
    if (secret !== undefined && text.includes(secret)) setIsCopied(true)
  }
  useKeptTab(!isCopied)

  return (
    <Modal
      opened
      onClose={() => (isCopied ? onClose() : setIsAsking(true))}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      keepsPage={!isCopied}
    >
      <FocusTrap.InitialFocus />
      <Stack onCopy={(event) => note(selectedText(event))}>
        <Copied value={note}>{children}</Copied>
        {isAsking && !isCopied ? (
          <Alert color="red" variant="light" role="alert" title={texts.question}>
            <Stack>
              <Text size="sm">{texts.consequence}</Text>
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  {texts.discard}
                </Button>
                <Button ref={focus} onClick={() => setIsAsking(false)}>
                  {texts.keep}
                </Button>
              </Group>
            </Stack>
          </Alert>
        ) : (
          <Group justify="flex-end">
            <Button onClick={onClose}>{done}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

/** Also scrolls to it: on a phone the question is below what the dialog shows. */
const focus = (button: HTMLElement | null) => button?.focus()

/** Lets the browser ask before it closes or reloads the tab. */
function useKeptTab(keeps: boolean): void {
  useEffect(() => {
    if (!keeps) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [keeps])
}

/** The text that a person copies by hand. */
function selectedText({ target }: ClipboardEvent): string {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return String(getSelection())
  return target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0)
}

const COPIED_MS = 2000

/** A button that copies a text, and says so for a moment. */
export function CopyButton({
  text,
  label = common.copy,
  quiet = false,
  name,
}: {
  text: string
  label?: string
  /** True for a small button beside other text. */
  quiet?: boolean
  /** What is copied, for screen readers. */
  name?: string
}) {
  const note = useContext(Copied)
  const button = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    const isCopied = button.current !== null && (await copyText(text, button.current))
    setState(isCopied ? 'copied' : 'failed')
    if (isCopied) note(text)
  }
  const shown = { idle: label, copied: common.copied, failed: common.copyFailed }[state]
  return (
    <Button
      ref={button}
      onClick={() => void copy()}
      variant={quiet || state !== 'idle' ? 'light' : 'filled'}
      size={quiet ? 'compact-xs' : 'sm'}
      miw={quiet ? undefined : 88}
      style={{ flexShrink: 0 }}
      aria-label={state === 'idle' ? name : undefined}
    >
      {shown}
    </Button>
  )
}

/** A secret or an address with a copy button. */
export function CopyField({ label, value, description }: { label: string; value: string; description?: string }) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: 1, minWidth: 0 }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton text={value} />
    </Group>
  )
}

/** Several secrets, one a line, with a copy button for all. */
export function CopyAll({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <Stack align="flex-start">
      <Code block w="100%">
        {lines.join('\n')}
      </Code>
      <CopyButton label={label} text={lines.join('\n')} />
    </Stack>
  )
}
