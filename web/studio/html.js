// Markup in templates, without a step that compiles it.
import htm from "htm";
import {h} from "preact";

export const html = htm.bind(h);
