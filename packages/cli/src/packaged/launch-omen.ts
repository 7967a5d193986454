#!/usr/bin/env node
import { keepCodeAtEnd, launch } from './launch.js'

keepCodeAtEnd(launch('omen.js'))
