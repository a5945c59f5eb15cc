// Begins when the page is there; without JavaScript the page says what it lacks.
"use strict";

new Player(JSON.parse(document.getElementById("episode").textContent));
