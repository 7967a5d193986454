import { useState } from 'react'
import { Field, type FieldProps } from './field.js'

/** A field for a client secret: hidden until somebody wants to see what was pasted. */
export function SecretField(props: Omit<FieldProps, 'label' | 'type' | 'autoComplete' | 'beside' | 'code'>) {
  const [visible, setVisible] = useState(false)
  return (
    <Field
      {...props}
      label="Client secret"
      code
      type={visible ? 'text' : 'password'}
      // Not a password of a person: managers of passwords should neither fill nor save it.
      autoComplete="one-time-code"
      beside={
        <button type="button" className="reveal" aria-pressed={visible} onClick={() => setVisible(!visible)}>
          Show<span className="off-screen"> the client secret</span>
        </button>
      }
    />
  )
}
