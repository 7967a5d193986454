import { launch } from './launch.js'

// The main thread loads the same parts, and stores their code.
launch('worker.js')
